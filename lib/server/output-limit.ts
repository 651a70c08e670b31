// How long an answer may be: models differ, and only the provider knows. One that was asked for too much says so, and is asked again for what it takes.
import { providerWords } from './provider-words';

/** With less room than this nothing useful can be said: then the prompt is what is too long. */
const leastTokens = 1024;
/** When it does not say how much it takes. Everybody takes that. */
const modestTokens = 4096;
/** What servers count about themselves is not exact. */
const slackTokens = 200;

/** What to ask for instead of `asked` after this error; undefined when it is not about that, or when there is no room. */
export function takenOutputTokens(error: unknown, asked: number): number | undefined {
  const { status, said } = providerWords(error);
  if (status !== 400 && status !== 422) return undefined;
  const text = said.replaceAll(',', '');
  const isAboutIt = /max[_ ]?(output[_ ]?|completion[_ ]?|new[_ ]?)?tokens|in the (completion|output)/i.test(text);
  if (!isAboutIt || /unsupported parameter|not supported|unknown/i.test(text)) return undefined;
  const taken = roomIn(text) ?? limitIn(text) ?? modestTokens;
  return taken < leastTokens || taken >= asked ? undefined : Math.floor(taken);
}

/** Where prompt and answer together are too long for the context. */
function roomIn(text: string): number | undefined {
  // Anthropic: "input length and `max_tokens` exceed context limit: 178959 + 32000 > 200000"
  const sum = /(\d+) \+ \d+ > (\d+)/.exec(text);
  if (sum !== null) return Number(sum[2]) - Number(sum[1]) - slackTokens;
  // vLLM: "maximum context length is 32768 tokens and your request has 5000 input tokens (32000 > 32768 - 5000)"
  const difference = /> (\d+) - (\d+)/.exec(text);
  if (difference !== null) return Number(difference[1]) - Number(difference[2]) - slackTokens;
  // OpenAI, OpenRouter: "maximum context length is 8192 tokens. However, you requested 9000 tokens (1000 in the messages, 8000 in the completion)"
  const asked = /length is (\d+) tokens.*requested (?:about )?(\d+) tokens.*?(\d+) in the (?:completion|output)/s.exec(
    text,
  );
  if (asked !== null) return Number(asked[1]) - (Number(asked[2]) - Number(asked[3])) - slackTokens;
  return undefined;
}

/** Where the answer alone is longer than this model's answers may be. */
function limitIn(text: string): number | undefined {
  const patterns: [RegExp, number][] = [
    // Anthropic: "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens"
    [/> (\d+) which is the maximum/, 0],
    // OpenAI: "This model supports at most 16384 completion tokens"
    [/at most (\d+)/, 0],
    // Groq: "`max_tokens` must be less than or equal to `8192`"
    [/less than or equal to [`'"]?(\d+)/, 0],
    // DeepSeek, DashScope: "the valid range of max_tokens is [1, 8192]"
    [/\[1 ?(\d+)\]/, 0],
    // Google: "the supported range is from 1 (inclusive) to 65537 (exclusive)"
    [/to (\d+) \(exclusive\)/, 1],
  ];
  for (const [pattern, beyond] of patterns) {
    const limit = pattern.exec(text)?.[1];
    if (limit !== undefined) return Number(limit) - beyond;
  }
  return undefined;
}
