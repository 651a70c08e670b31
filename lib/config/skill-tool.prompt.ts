// What the model reads about skills.

export const skillPrompt = {
  description: `Loads a skill: instructions for a kind of task that this project or the person has written down. Load it before you begin such a task.

- name: the skill's name, as listed in the system prompt.`,
  advertised: (skills: readonly { name: string; description: string }[]) =>
    `Skills that the skill tool can load:\n${skills.map((skill) => `- ${skill.name}: ${skill.description}`).join('\n')}`,
  unknown: (name: string, names: readonly string[]) =>
    `There is no skill named ${name}. The skills are: ${names.join(', ')}.`,
  own: (name: string, body: string, files: readonly string[]) =>
    `<skill_content name=${JSON.stringify(name)}>\n${body}${
      files.length === 0
        ? ''
        : `\n\nIt brings files that are not in the project. Read one with this tool and its \`file\`; to run one, write it where you need it.\n${files.map((file) => `- ${file}`).join('\n')}`
    }\n</skill_content>`,
  unknownFile: (name: string, file: string, files: readonly string[]) =>
    `The skill ${name} brings no file ${file}. ${files.length === 0 ? 'It brings none.' : `Its files are: ${files.join(', ')}.`}`,
  fileOfProject: (name: string, path: string) => `The files of the skill ${name} are in the project: read ${path}.`,
  content: (name: string, body: string, folder: string, files: readonly string[]) =>
    `<skill_content name=${JSON.stringify(name)}>\n${body}\n\nIts folder is ${folder}; paths in it are relative to that.${
      files.length === 0 ? '' : `\nSome of its files:\n${files.map((file) => `- ${file}`).join('\n')}`
    }\n</skill_content>`,
};
