// awk: the applet.
import { Interpreter } from './awk-interpreter';
import { parseProgram } from './awk-parser';
import { lastValue, parseOptions } from './options';
import { type Applet, readText, UsageError } from './tool';

/** awk [-F fs] [-v name=value] [-f file | program] [files and assignments]. */
export const awk: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    'F:v:f:',
    { 'field-separator=': 'F', 'assign=': 'v', 'file=': 'f' },
    { permute: false, status: 2 },
  );
  let operands = parsed.operands;
  let source: string;
  if (parsed.values.has('f'))
    source = (await Promise.all(parsed.values.get('f')!.map((file) => readText(tool, file)))).join('\n');
  else {
    if (operands[0] === undefined)
      throw new UsageError('usage: awk [-F fs][-v var=value][prog | -f progfile][file ...]', 2);
    source = operands[0];
    operands = operands.slice(1);
  }
  const interpreter = new Interpreter(tool, parseProgram(source), [...operands]);
  const separator = lastValue(parsed, 'F');
  if (separator !== undefined) interpreter.assign('FS', separator === 't' ? '\t' : separator);
  for (const assignment of parsed.values.get('v') ?? []) {
    const match = assignment.match(/^([A-Za-z_]\w*)=([\s\S]*)$/);
    if (!match) throw new UsageError(`\`${assignment}' argument to \`-v' not in \`var=value' form`, 2);
    interpreter.assign(match[1]!, match[2]!);
  }
  return interpreter.run();
};
