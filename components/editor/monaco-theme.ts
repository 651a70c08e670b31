// Monaco in the colours of the tokens. One theme, defined anew when the page's theme changes.
import type * as Monaco from 'monaco-editor';
import { isDark, onThemeChange, token } from '../ui/theme';

/** Defines and applies the theme now and at every change. */
export function followTheme(monaco: typeof Monaco): void {
  const apply = () => {
    monaco.editor.defineTheme('cloche', theme());
    monaco.editor.setTheme('cloche');
  };
  onThemeChange(apply);
  apply();
}

function theme(): Monaco.editor.IStandaloneThemeData {
  const rule = (scope: string, name: string, fontStyle?: string) => ({
    token: scope,
    foreground: token(name).slice(1),
    fontStyle,
  });
  return {
    base: isDark() ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('', 'text'),
      rule('comment', 'code-comment', 'italic'),
      rule('string', 'code-string'),
      rule('string.key.json', 'code-function'),
      rule('string.value.json', 'code-string'),
      rule('regexp', 'code-string'),
      rule('number', 'code-number'),
      rule('keyword', 'code-keyword'),
      rule('type', 'code-type'),
      rule('type.identifier', 'code-type'),
      rule('tag', 'code-keyword'),
      rule('attribute.name', 'code-function'),
      rule('attribute.value', 'code-string'),
      rule('delimiter', 'muted'),
    ],
    colors: {
      'editor.background': token('surface'),
      'editor.foreground': token('text'),
      'editor.lineHighlightBackground': token('chrome'),
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': token('selection'),
      'editor.inactiveSelectionBackground': token('selected'),
      'editor.selectionHighlightBackground': token('accent-soft'),
      'editor.wordHighlightBackground': token('accent-soft'),
      'editor.wordHighlightStrongBackground': token('accent-soft'),
      'editor.wordHighlightTextBackground': token('accent-soft'),
      'editorLineNumber.foreground': token('faint'),
      'editorLineNumber.activeForeground': token('text'),
      'editorCursor.foreground': token('accent'),
      ...brackets(),
      'editorIndentGuide.background1': token('border'),
      'editorWidget.background': token('raised'),
      'editorWidget.border': token('border'),
      'editorSuggestWidget.selectedBackground': token('selected'),
      'editorSuggestWidget.selectedForeground': token('text'),
      'editorSuggestWidget.highlightForeground': token('accent'),
      'editorSuggestWidget.focusHighlightForeground': token('accent'),
      'editorHoverWidget.background': token('raised'),
      'input.background': token('surface'),
      'input.border': token('border-strong'),
      'list.hoverBackground': token('hover'),
      'list.activeSelectionBackground': token('selected'),
      'list.activeSelectionForeground': token('text'),
      focusBorder: token('accent'),
      'scrollbar.shadow': '#00000000',
    },
  };
}

/** Brackets have the colour of other delimiters: the standalone editor colours them by depth whatever its options say. */
function brackets(): Record<string, string> {
  return Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((depth) => [`editorBracketHighlight.foreground${depth}`, token('muted')]),
  );
}
