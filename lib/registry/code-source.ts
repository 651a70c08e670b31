// The shipped tools together with a language service: those that change files tell what is wrong now, and there is one to ask it.
import { builtInTools } from '../tools/built-in';
import type { CodeIntelligence } from '../tools/code-intelligence';
import { lspTool } from '../tools/lsp';
import { tellingErrors, withDiagnostics } from '../tools/with-diagnostics';
import type { ToolSource } from './registry';

/** Takes the place of the built-in source where there is a language service. */
export function codeSource(code: CodeIntelligence): ToolSource {
  const tools = [...builtInTools.map((tool) => withDiagnostics(tool, code)), tellingErrors(lspTool(code), code)];
  return { name: 'Cloche', offer: () => ({ tools }) };
}
