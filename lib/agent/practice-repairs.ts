// The mistakes that Cloche ships in its example projects on purpose. The practice model can mend these and no others.

export const practiceRepairs: { wrong: string; right: string; why: string }[] = [
  {
    wrong: 'if (count > 1) parts.push(',
    right: 'if (count > 0) parts.push(',
    why: '`formatDuration` left out every unit that occurs exactly once, because it asked for more than one.',
  },
];
