// What a template is: plain files and what to open first. No code of its own, so a test can run every one of them in real Node.

/** Start files of a project. Paths are relative to the project's folder. */
export interface Template {
  /** In the address: `/new/<id>`. */
  id: string;
  title: string;
  /** One sentence for the start page. */
  summary: string;
  /** The file that the editor shows first. */
  open: string;
  files: Record<string, string>;
}
