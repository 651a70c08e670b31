// Code mode as a source of tools: `execute` over what the sources before it offer. It comes last in the list.
import { type ExecuteOptions, executeTool, type ProgramTool } from '../tools/execute';
import { catalogueOf, declarationOf } from './declarations';
import type { ToolSource } from './registry';

export interface ProgramSourceOptions extends Pick<ExecuteOptions, 'startPlace' | 'callTool' | 'budget'> {
  /** The person's setting. */
  isOn(): boolean;
}

/** Talk with the person and with other agents is the model's own business, and one program is enough. */
export const notForPrograms: readonly string[] = ['execute', 'question', 'task'];

/** *Contract:* the last of the sources. */
export function programSource({ isOn, ...options }: ProgramSourceOptions): ToolSource {
  const absent = (why: string) => ({ tools: [], absent: [{ name: 'execute', why }] });
  return {
    name: 'Cloche',
    offer({ offered }) {
      if (!isOn()) return absent('Programs over tools are turned off in the settings.');
      const callable = offered.filter(({ tool }) => !notForPrograms.includes(tool.name));
      if (callable.length === 0) return absent('There is no tool that a program could call.');
      const bySource = new Map<string, ProgramTool[]>();
      for (const { tool, source } of callable.toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1))) {
        const list = bySource.get(source) ?? [];
        bySource.set(source, [...list, { name: tool.name, declaration: declarationOf(tool) }]);
      }
      const tools = [...bySource.values()].flat();
      return { tools: [executeTool({ ...options, tools, catalogue: catalogueOf(bySource) })] };
    },
  };
}
