// A command or an agent wants a model that is not offered here. Nobody else answers in its place before the person says so.
'use client';

import { Sheet } from '../ui/sheet';
import { createStore, useStore } from '../ui/store';
import type { AskOtherModel } from './turn-model';

interface OpenQuestion {
  who: string;
  wanted: string;
  instead: string;
  answer(isFine: boolean): void;
}

const openQuestion = createStore<OpenQuestion | undefined>(undefined);

/** Shows the question; an older one that is still open is a no. */
export const askOtherModel: AskOtherModel = (question) =>
  new Promise((resolve) => {
    openQuestion.get()?.answer(false);
    openQuestion.set({
      ...question,
      answer(isFine) {
        openQuestion.set(undefined);
        resolve(isFine);
      },
    });
  });

/** Nothing while nothing is asked. */
export function OtherModel() {
  const question = useStore(openQuestion);
  return (
    <Sheet
      title="Another model?"
      open={question !== undefined}
      close={() => question?.answer(false)}
      footer={
        <div className="row dialog-foot">
          <button type="button" className="button" data-tone="primary" onClick={() => question?.answer(true)}>
            {`Use ${question?.instead}`}
          </button>
          <button type="button" className="button" onClick={() => question?.answer(false)}>
            Don’t send
          </button>
        </div>
      }
    >
      {question && (
        <p>
          {`${question.who} wants the model `}
          <code>{question.wanted}</code>
          {`, which is not offered here. Your words stay in the composer if you don’t send them.`}
        </p>
      )}
    </Sheet>
  );
}
