// The browser's file chooser as a promise.

/** What the person chose; empty when they did not. */
export function chooseFiles(accept = ''): Promise<{ path: string; contents: File }[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.multiple = accept === '';
    input.onchange = () => resolve([...(input.files ?? [])].map((file) => ({ path: file.name, contents: file })));
    input.oncancel = () => resolve([]);
    input.click();
  });
}
