// What the model reads about edit.

export const editPrompt = {
  description: `Replaces text in a file.

- path: the file, relative to the project or absolute.
- oldString: the exact text to replace, with enough lines around it to be unique. Never include the line numbers that read shows.
- newString: what stands there afterwards. It is taken literally.
- replaceAll: replace every occurrence (default false).
- nearLine: when oldString occurs several times, the line number near which it is meant.

Read the file first. To create a file or to replace all of it, use write.`,
  notFound: (path: string, excerpt: string) =>
    `oldString was not found in ${path}. ${
      excerpt
        ? `The most similar place is:\n${excerpt}\nCopy the text from there exactly (without line numbers) and try again.`
        : 'Nothing there resembles it. Read the file again and copy the text exactly.'
    }`,
  ambiguous: (path: string, count: number, places: string) =>
    `oldString occurs ${count} times in ${path}:\n${places}\nAdd lines around it until it is unique, or set nearLine, or set replaceAll to change all of them.`,
  same: 'oldString and newString are the same, so there is nothing to change.',
  empty: (path: string) =>
    `oldString is empty. To create or replace ${path} use write; to insert, give the text to insert next to.`,
  missing: (path: string, near: string[]) =>
    `${path} does not exist.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''} To create it use write.`,
  moved: (path: string, excerpt: string) =>
    `${path} was changed since you last read it, by the person or by a command, and the text to replace is not as you saw it there any more. ${
      excerpt ? `Around that place it now says:\n${excerpt}\n` : ''
    }Read it again before you edit.`,
  movedOver: 'The file had been changed since you read it; your edit was applied to the new version.',
  unread: (path: string) =>
    `You have not read ${path} yet, and oldString does not match it exactly. Read it first, then edit.`,
};
