import { signal } from "@preact/signals"
import { useState } from "preact/hooks"
import { onSessionEnd } from "../api/Tokens.ts"
import { text } from "../i18n/Text.ts"
import { isLeaving, login } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/Field.tsx"
import { failureWords } from "../ui/Words.ts"

const t = text("common")

const waiting = signal<ReadonlyArray<(loggedIn: boolean) => void>>([])

/** A session that ends is begun again over the page: every request that waits for it goes on afterwards. */
export const askInPlace = (): void =>
  onSessionEnd(async () => {
    if (isLeaving()) return false
    return await new Promise((resolve) => {
      waiting.value = [...waiting.value, resolve]
    })
  })

const end = (loggedIn: boolean): void => {
  const all = waiting.value
  waiting.value = []
  for (const resolve of all) resolve(loggedIn)
}

const Form = () => {
  const [username, setUsername] = useState("")
  const [password, setPassword] = useState("")
  const [code, setCode] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setBusy(true)
    const answer = await login(username, password, (code ?? "").trim())
    setBusy(false)
    if (answer.ok) return end(true)
    if (answer.code === "missing_two_factor") return setCode("")
    setError(failureWords(answer))
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p>{t("sessionText")}</p>
      <TextField label={t("username")} value={username} onValue={setUsername} autocomplete="username" required />
      <TextField
        label={t("password")}
        type="password"
        value={password}
        onValue={setPassword}
        autocomplete="current-password"
        error={error}
        required
      />
      {code !== undefined && (
        <TextField
          label={t("code")}
          help={t("codeHelp")}
          value={code}
          onValue={setCode}
          autocomplete="one-time-code"
          required
        />
      )}
      <Button kind="primary" type="submit" busy={busy}>
        {t("logIn")}
      </Button>
    </form>
  )
}

/** Where one logs in again: once in the shell. */
export const LoginDialog = () =>
  waiting.value.length === 0 ? null : (
    <Dialog title={t("sessionTitle")} onClose={() => end(false)}>
      <Form />
    </Dialog>
  )
