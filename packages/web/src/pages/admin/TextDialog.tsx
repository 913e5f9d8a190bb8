import { useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { Checkbox } from "../../ui/Choices.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { TextArea } from "../../ui/Field.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("common")

/** What a dialog asks for, and what is done with it. */
export interface TextQuestion {
  readonly title: string
  /** What the act does. */
  readonly text?: string
  readonly label: string
  readonly help?: string
  readonly action: string
  readonly danger?: boolean
  readonly required?: boolean
  readonly initial?: string
  readonly max: number
  /** A choice beside the text. */
  readonly choice?: { readonly label: string; readonly help?: string; readonly initial: boolean }
  readonly send: (words: string, chosen: boolean) => Promise<Answer>
  readonly said: string
}

/** Asks for a few words before something is done. A refusal stands beside the words, which stay. */
export const TextDialog = ({
  onClose,
  onDone,
  question
}: {
  readonly question: TextQuestion
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const [words, setWords] = useState(question.initial ?? "")
  const [chosen, setChosen] = useState(question.choice?.initial ?? false)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    if (question.required === true && words.trim() === "") return setError(t("required"))
    setBusy(true)
    const answer = await question.send(words.trim(), chosen)
    setBusy(false)
    if (!answer.ok) return setError(answer.wrong[0]?.reason ?? failureWords(answer))
    toast(question.said)
    onDone()
    onClose()
  }
  return (
    <Dialog
      title={question.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button kind={question.danger === true ? "danger" : "primary"} busy={busy} onClick={() => void send()}>
            {question.action}
          </Button>
        </>
      }
    >
      <div class="stack">
        {question.text !== undefined && <p>{question.text}</p>}
        <TextArea
          label={question.label}
          help={question.help}
          error={error}
          value={words}
          maxLength={question.max}
          optional={question.required !== true}
          onValue={setWords}
        />
        {question.choice !== undefined && (
          <Checkbox
            label={question.choice.label}
            {...(question.choice.help === undefined ? {} : { help: question.choice.help })}
            checked={chosen}
            onChecked={setChosen}
          />
        )}
      </div>
    </Dialog>
  )
}
