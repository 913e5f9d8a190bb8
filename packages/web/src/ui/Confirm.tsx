import { signal } from "@preact/signals"
import { text } from "../i18n/Text.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

const t = text("common")

interface Question {
  readonly title: string
  readonly text: string
  /** The words of the button that does it. */
  readonly action: string
  readonly danger?: boolean
}

const asked = signal<(Question & { readonly answer: (yes: boolean) => void }) | undefined>(undefined)

/** Asks before something that cannot be undone; whether the person wants it. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    asked.peek()?.answer(false)
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = undefined
        resolve(yes)
      }
    }
  })

/** Where questions appear: once in the shell. */
export const Confirmations = () => {
  const question = asked.value
  if (question === undefined) return null
  return (
    <Dialog
      title={question.title}
      onClose={() => question.answer(false)}
      actions={
        <>
          <Button onClick={() => question.answer(false)}>{t("cancel")}</Button>
          <Button kind={question.danger === true ? "danger" : "primary"} onClick={() => question.answer(true)}>
            {question.action}
          </Button>
        </>
      }
    >
      <p>{question.text}</p>
    </Dialog>
  )
}
