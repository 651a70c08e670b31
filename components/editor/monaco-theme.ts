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

/**
 * Our tokens by the scopes that they colour. Monaco's own themes, which ours inherits, have colours for many longer scopes, and the longest one wins:
 * each of theirs is named here, or it shines through.
 */
export const scopesByToken: Record<string, readonly string[]> = {
  text: ['', 'variable.parameter', 'emphasis', 'strong'],
  'code-comment': [
    'comment',
    'annotation',
    'meta',
    'meta.tag',
    'metatag',
    'metatag.html',
    'metatag.xml',
    'metatag.php',
    'metatag.content.html',
  ],
  'code-string': [
    'string',
    'string.value',
    'string.value.json',
    'string.html',
    'string.sql',
    'string.yaml',
    'regexp',
    'attribute.value',
    'attribute.value.html',
    'attribute.value.xml',
  ],
  'code-number': [
    'number',
    'number.hex',
    'constant',
    'attribute.value.number',
    'attribute.value.number.css',
    'attribute.value.unit',
    'attribute.value.unit.css',
    'attribute.value.hex.css',
  ],
  'code-keyword': ['keyword', 'keyword.flow', 'keyword.flow.scss', 'keyword.json', 'tag'],
  'code-type': [
    'type',
    'type.identifier',
    'variable',
    'variable.predefined',
    'tag.id.pug',
    'tag.class.pug',
    'meta.scss',
  ],
  'code-function': ['attribute.name', 'key', 'string.key', 'string.key.json', 'predefined.sql'],
  muted: ['delimiter', 'delimiter.html', 'delimiter.xml', 'operator.scss', 'operator.sql', 'operator.swift'],
  red: ['invalid'],
};

const fontStyles: Record<string, string> = { comment: 'italic', emphasis: 'italic', strong: 'bold' };

function theme(): Monaco.editor.IStandaloneThemeData {
  return {
    base: isDark() ? 'vs-dark' : 'vs',
    inherit: true,
    rules: Object.entries(scopesByToken).flatMap(([name, scopes]) =>
      scopes.map((scope) => ({ token: scope, foreground: token(name).slice(1), fontStyle: fontStyles[scope] })),
    ),
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
