import { signal } from "@preact/signals"
import { useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { TextField } from "../../ui/Field.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("common")

const asked = signal<((confirmed: boolean) => void) | undefined>(undefined)

/** Does something that the server wants the password for: where it says so, the person is asked, and it is done again. */
export const withPassword = async <A,>(doing: () => Promise<Answer<A>>): Promise<Answer<A>> => {
  const answer = await doing()
  if (answer.ok || answer.code !== "password_confirmation_required") return answer
  asked.peek()?.(false)
  const confirmed = await new Promise<boolean>((resolve) => {
    asked.value = (it) => {
      asked.value = undefined
      resolve(it)
    }
  })
  return confirmed ? await doing() : answer
}

const Question = ({ answer }: { readonly answer: (confirmed: boolean) => void }) => {
  const [password, setPassword] = useState("")
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setBusy(true)
    const it = await call("POST /api/v1/users/me/confirm-password", { body: { currentPassword: password } })
    setBusy(false)
    if (it.ok) answer(true)
    else setError(failureWords(it))
  }
  return (
    <Dialog title={t("confirmPasswordTitle")} onClose={() => answer(false)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <p>{t("confirmPasswordText")}</p>
        <TextField
          label={t("password")}
          type="password"
          autocomplete="current-password"
          value={password}
          error={error}
          onValue={setPassword}
        />
        <Button kind="primary" type="submit" busy={busy}>
          {t("confirmPassword")}
        </Button>
      </form>
    </Dialog>
  )
}

/** Where the password is asked for: once on a page that does such things. */
export const PasswordQuestion = () => (asked.value === undefined ? null : <Question answer={asked.value} />)
