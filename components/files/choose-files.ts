// The browser's file chooser as a promise.

/** What the person chose; empty when they did not. One file where `accept` says which, unless `many`. */
export function chooseFiles(accept = '', many = accept === ''): Promise<{ path: string; contents: File }[]> {
  return choose((input) => {
    input.accept = accept;
    input.multiple = many;
  });
}

/** All files of a folder that the person chose, by paths that begin with its name. */
export function chooseFolder(): Promise<{ path: string; contents: File }[]> {
  return choose((input) => {
    input.webkitdirectory = true;
  });
}

function choose(prepare: (input: HTMLInputElement) => void): Promise<{ path: string; contents: File }[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    prepare(input);
    const files = () => [...(input.files ?? [])];
    input.onchange = () =>
      resolve(files().map((file) => ({ path: file.webkitRelativePath || file.name, contents: file })));
    input.oncancel = () => resolve([]);
    input.click();
  });
}
