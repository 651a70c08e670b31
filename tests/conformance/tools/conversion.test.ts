// Group 12: a saved conversation as the prompt of the next step: nothing dangles, nothing is handed to a model that can't take it.
import { describe, expect, test } from 'vitest';
import type { Message, MessagePart, ToolPart } from '../../../lib/session/messages';
import { promptUnits, shownUnits, unitsToPrompt } from '../../../lib/session/to-prompt';

const model = 'anthropic/claude-test';
let number = 0;
const id = () => `part_${number++}`;
const said = (text: string): Message => ({
  id: id(),
  role: 'user',
  createdAtMs: 0,
  parts: [{ type: 'text', id: id(), text }],
});
const answered = (parts: MessagePart[], more: Partial<Message> = {}): Message => ({
  id: id(),
  role: 'assistant',
  createdAtMs: 0,
  model,
  end: 'done',
  parts: [{ type: 'step', id: id() }, ...parts],
  ...more,
});
const call = (more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  id: id(),
  callId: 'c1',
  tool: 'read',
  state: 'done',
  inputText: '{"path":"a"}',
  input: { path: 'a' },
  output: '1: a',
  ...more,
});
const text = (value: string): MessagePart => ({ type: 'text', id: id(), text: value });
const prompt = (...messages: Message[]) =>
  unitsToPrompt('system', shownUnits(promptUnits(messages)), { model }).slice(1);
const roles = (...messages: Message[]) => prompt(...messages).map((message) => message.role);

describe('every call has a result, whatever became of it', () => {
  test.each<[string, Partial<ToolPart>, object]>([
    ['done', {}, { type: 'text', value: '1: a' }],
    ['done without output', { output: '' }, { type: 'text', value: '(no output)' }],
    ['failed', { state: 'error', output: 'no' }, { type: 'error-text', value: 'no' }],
    [
      'stopped',
      { state: 'interrupted', output: '' },
      { type: 'error-text', value: 'The call was stopped before it ended.' },
    ],
    [
      'stopped, with what it had shown',
      { state: 'interrupted', output: 'half' },
      { type: 'error-text', value: expect.stringContaining('half') },
    ],
    ['still running', { state: 'running' }, { type: 'error-text', value: expect.stringContaining('stopped') }],
    ['still asking', { state: 'asking' }, { type: 'error-text', value: expect.stringContaining('stopped') }],
    ['waiting', { state: 'waiting' }, { type: 'error-text', value: expect.stringContaining('stopped') }],
  ])('%s', (_name, more, output) => {
    const [, assistant, tool] = prompt(said('go'), answered([call(more)]));
    expect(assistant).toMatchObject({ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1' }] });
    expect(tool).toMatchObject({ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', output }] });
  });

  test('a call whose input never became complete is left out, call and result', () =>
    expect(
      JSON.stringify(
        prompt(
          said('go'),
          answered([text('x'), { ...call({ state: 'interrupted', inputText: '{"pa' }), input: undefined }]),
        ),
      ),
    ).not.toContain('c1'));

  test('an input that is no object is sent as one', () => {
    const [, assistant] = prompt(said('go'), answered([call({ input: [1], inputText: '[1]' })]));
    expect(assistant).toMatchObject({ content: [{ input: { unparsed: '[1]' } }] });
  });

  test('results follow their step, in the order of the calls', () => {
    const parts = [
      call(),
      call({ callId: 'c2' }),
      { type: 'step' as const, id: id() },
      text('and'),
      call({ callId: 'c3' }),
    ];
    const sent = prompt(said('go'), answered(parts));
    expect(sent.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    expect((sent[2]!.content as { toolCallId: string }[]).map((one) => one.toolCallId)).toEqual(['c1', 'c2']);
  });
});

describe('reasoning', () => {
  const signed: MessagePart = {
    type: 'reasoning',
    id: id(),
    text: 'hm',
    startedAtMs: 0,
    echo: { anthropic: { signature: 's' } },
  };
  test('goes back signed to the model that made it', () =>
    expect(prompt(said('go'), answered([signed, text('x')]))[1]).toMatchObject({
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
        { type: 'text' },
      ],
    }));
  test('of another model is left out, signature and all', () =>
    expect(JSON.stringify(prompt(said('go'), answered([signed, text('x')], { model: 'openai/gpt-5' })))).not.toMatch(
      /hm|signature/,
    ));
  test('without a signature is left out', () =>
    expect(
      JSON.stringify(
        prompt(said('go'), answered([{ type: 'reasoning', id: id(), text: 'hm', startedAtMs: 0 }, text('x')])),
      ),
    ).not.toContain('hm'));
  test('alone is no message', () =>
    expect(roles(said('go'), answered([signed]), said('and?'))).toEqual(['user', 'user']));
  test('empty text between two signed blocks is left out, and their order stays', () => {
    const second = { ...signed, id: id(), echo: { anthropic: { signature: 't' } } };
    const [, assistant] = prompt(said('go'), answered([signed, text(''), second, call()]));
    expect((assistant!.content as { type: string }[]).map((one) => one.type)).toEqual([
      'reasoning',
      'reasoning',
      'tool-call',
    ]);
  });
});

describe('what providers insist on', () => {
  test('the prompt ends with the person or a tool', () => {
    expect(roles(said('go'), answered([text('half')], { end: 'stopped' }))).toEqual(['user', 'assistant', 'user']);
    expect(roles(said('go'), answered([call()]))).toEqual(['user', 'assistant', 'tool']);
  });
  test('an answer without content is no message', () =>
    expect(roles(said('go'), answered([]), said('again'))).toEqual(['user', 'user']));
  test('notices are not sent', () =>
    expect(
      JSON.stringify(prompt(said('go'), answered([text('x'), { type: 'notice', id: id(), text: 'Paused' }]))),
    ).not.toContain('Paused'));
  test('failed answers keep what they had said', () =>
    expect(JSON.stringify(prompt(said('go'), answered([text('partial')], { end: 'failed' }), said('on')))).toContain(
      'partial',
    ));
});

describe('summaries', () => {
  const summary = (keptSteps: number): MessagePart => ({
    type: 'summary',
    id: id(),
    text: '## Goal\nx',
    keptSteps,
    tokensBefore: 9,
    tokensAfter: 1,
  });
  test('stand for what is before them, but for the steps that were kept', () => {
    const sent = JSON.stringify(
      prompt(
        said('old words'),
        answered([text('old answer'), { type: 'step', id: id() }, text('kept'), summary(1)]),
        said('new'),
      ),
    );
    expect(sent).toMatch(/## Goal.*kept.*new/);
    expect(sent).not.toMatch(/old words|old answer/);
  });
  test('the last one counts', () => {
    const sent = JSON.stringify(
      prompt(
        said('a'),
        answered([
          text('b'),
          summary(0),
          { type: 'step', id: id() },
          text('c'),
          { ...summary(0), text: '## Goal\ny' } as MessagePart,
        ]),
        said('d'),
      ),
    );
    expect(sent).toContain('## Goal\\ny');
    expect(sent.match(/## Goal/g)).toHaveLength(1);
    expect(sent).not.toContain('"b"');
  });
});
