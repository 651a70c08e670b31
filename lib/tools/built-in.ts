// The tools that Cloche ships with.
import { applyPatchTool } from './apply-patch';
import { bashTool } from './bash';
import { editTool } from './edit';
import { globTool } from './glob';
import { grepTool } from './grep';
import { jobTool } from './job';
import { multieditTool } from './multiedit';
import { readTool } from './read';
import type { Tool } from './tool';
import { writeTool } from './write';

/** In the order of their names, which keeps the provider's prompt cache warm. */
export const builtInTools: readonly Tool[] = [
  applyPatchTool,
  bashTool,
  editTool,
  globTool,
  grepTool,
  jobTool,
  multieditTool,
  readTool,
  writeTool,
];
