import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { loadMe, type Me } from "../../session/Me.ts"
import { login } from "../../session/Session.ts"
import { Button } from "../../ui/Button.tsx"
import { Switch } from "../../ui/Choices.tsx"
import { TextField } from "../../ui/Field.tsx"
import { report } from "../../ui/Outcome.ts"
import { change } from "./Change.ts"

const t = text("settings")

const { max, min } = constraints.user.password

/** The mail address, which changes when the link that is sent to the new one is opened. */
export const Email = ({ user }: { readonly user: Me }) => {
  const [email, setEmail] = useState("")
  const [currentPassword, setCurrentPassword] = useState("")
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    if (email.trim() === "" || currentPassword === "") return
    setBusy(true)
    if (await change({ email: email.trim(), currentPassword }, t("emailAsked", { email: email.trim() }))) {
      setEmail("")
      setCurrentPassword("")
    }
    setBusy(false)
  }
  return (
    <form
      class="card stack"
      aria-labelledby="email"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void send()
      }}
    >
      <h2 id="email">{t("email")}</h2>
      <p class="lead">{t("emailNow", { email: user.email })}</p>
      {user.pendingEmail !== null && <p>{t("emailPending", { email: user.pendingEmail })}</p>}
      <Switch
        label={t("emailPublic")}
        checked={user.emailPublic}
        onChecked={(emailPublic) => void change({ emailPublic }, t("saved"))}
      />
      <div class="two">
        <TextField label={t("newEmail")} type="email" autocomplete="email" value={email} onValue={setEmail} />
        <TextField
          label={t("currentPassword")}
          type="password"
          autocomplete="current-password"
          value={currentPassword}
          onValue={setCurrentPassword}
        />
      </div>
      <div>
        <Button type="submit" busy={busy}>
          {t("changeEmail")}
        </Button>
      </div>
    </form>
  )
}

/** The password. A change ends every session: this one begins anew with the new password, or asks for the second factor. */
export const Password = ({ user }: { readonly user: Me }) => {
  const [password, setPassword] = useState("")
  const [currentPassword, setCurrentPassword] = useState("")
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    if (password === "" || currentPassword === "") return
    setBusy(true)
    const answer = await call("PUT /api/v1/users/me", { body: { password, currentPassword } })
    if (report(answer, t("passwordChanged"))) {
      await login(user.username, password, "")
      setPassword("")
      setCurrentPassword("")
      await loadMe()
    }
    setBusy(false)
  }
  return (
    <form
      class="card stack"
      aria-labelledby="password"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void send()
      }}
    >
      <h2 id="password">{t("password")}</h2>
      <div class="two">
        <TextField
          label={t("currentPassword")}
          type="password"
          autocomplete="current-password"
          value={currentPassword}
          onValue={setCurrentPassword}
        />
        <TextField
          label={t("newPassword")}
          help={t("passwordHelp", { min, max })}
          type="password"
          autocomplete="new-password"
          value={password}
          onValue={setPassword}
        />
      </div>
      <div>
        <Button type="submit" busy={busy}>
          {t("changePassword")}
        </Button>
      </div>
    </form>
  )
}
