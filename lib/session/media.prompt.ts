// What the model reads where an image or a document is not shown to it.

export const mediaTexts = {
  unknown: (name: string, what: string) => `[${name} is not shown: it is ${what}, which no model takes.]`,
  tooLarge: (name: string, bytes: number, most: number) =>
    `[${name} is not shown: it has ${bytes} bytes, and at most ${most} can be sent.]`,
  broken: (name: string, words: string, why: string) =>
    `[${name} is not shown: it begins as ${words} but can't be decoded (${why}).]`,
  unsupported: (name: string, kind: string) =>
    `[${name} is not shown to you: this model takes no ${kind}. If it matters, tell the person to choose a model that does.]`,
  sound: (name: string) => `[${name} is a sound: the person can hear it, you can't.]`,
  older: (name: string) =>
    `[${name} was shown earlier and is left out here to save room. Read it again if you need it.]`,
  gone: (name: string) => `[${name} is not kept any more.]`,
  rejected: (name: string) => `[${name} is left out: the provider refused it.]`,
  follows: (names: string) => `(${names}: see the next message.)`,
  fromTools: (names: string) => `(This is what the tools showed: ${names}.)`,
};
