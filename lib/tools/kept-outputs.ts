// Outputs that were too long to be shown, by name: `read` and `grep` take such a name for a path. What they work on is a fresh copy in the
// sandbox's /tmp, so that pages, expressions and their time limits are those of any other file.
import { createSeenFiles } from './seen-files';
import { type Tool, type ToolContext, ToolError } from './tool';

/** The outputs of one conversation. They survive the tab and end with the conversation; of too many the oldest go. */
export interface KeptOutputs {
  /** Resolves with the name: the same for the same text. */
  keep(text: string): Promise<string>;
  /** Undefined when there is none of that name, or not any more. */
  load(name: string): Promise<string | undefined>;
}

/** How names begin. */
export const outputScheme = 'output://';

/** Where the sandbox gets a copy of the output of that name. */
export function copyOfOutput(name: string): string {
  return `/tmp/cloche/${name.slice(outputScheme.length)}.txt`;
}

/** `read` and `grep` also for kept outputs; other tools as they are. No rule is asked: the conversation has had that text. */
export function withOutputs(tool: Tool, outputs: KeptOutputs): Tool {
  if (tool.name !== 'read' && tool.name !== 'grep') return tool;
  return {
    ...tool,
    async execute(input: { path?: string }, context) {
      const { path } = input;
      if (path === undefined || !path.startsWith(outputScheme)) return tool.execute(input, context);
      context.update({ title: path });
      const text = await outputs.load(path);
      if (text === undefined)
        throw new ToolError(
          `There is no ${path} in this conversation, or it is not kept any more. Run the call that made it again.`,
        );
      const copy = copyOfOutput(path);
      await context.sandbox.fs.write(copy, text);
      const own: ToolContext = {
        ...context,
        // It is no file that the model knows: nothing of it may become the base of an edit.
        seen: createSeenFiles(),
        update: () => {},
        ask: () => Promise.resolve(undefined),
      };
      const result = await tool.execute({ ...input, path: copy }, own);
      return { ...result, title: path, output: result.output.replaceAll(copy, path) };
    },
  };
}
