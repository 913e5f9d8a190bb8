import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { saveFile } from "../../ui/SaveFile.ts"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("settings")

/** New recovery codes; undefined when they were refused, which is said. */
export const makeCodes = async (currentPassword: string): Promise<ReadonlyArray<string> | undefined> => {
  const answer = await call("POST /api/v1/users/me/two-factor/recovery-codes", { body: { currentPassword } })
  if (answer.ok) return answer.body.codes
  toast(failureWords(answer), "failed")
  return undefined
}

const copy = async (codes: ReadonlyArray<string>): Promise<void> => {
  try {
    await navigator.clipboard.writeText(codes.join("\n"))
    toast(t("codesCopied"))
  } catch {
    toast(t("codesNotCopied"), "failed")
  }
}

/** Codes that are shown this once, to be kept where they are found without the phone. */
export const CodeList = ({ codes }: { readonly codes: ReadonlyArray<string> }) => (
  <div class="stack" role="status">
    <p>{t("codesKeep")}</p>
    <ul class="codes" aria-label={t("codes")}>
      {codes.map((it) => (
        <li key={it}>
          <code>{it}</code>
        </li>
      ))}
    </ul>
    <div class="acts">
      <Button icon="copy" onClick={() => void copy(codes)}>
        {t("codesCopy")}
      </Button>
      <Button icon="download" onClick={() => saveFile("recovery-codes.txt", `${codes.join("\n")}\n`, "text/plain")}>
        {t("codesSave")}
      </Button>
    </div>
  </div>
)

/** How many recovery codes are left, and new ones for the password. */
export const RecoveryCodes = () => {
  const left = useLoad("recovery codes", (signal) => call("GET /api/v1/users/me/two-factor/recovery-codes", { signal }))
  const [currentPassword, setCurrentPassword] = useState("")
  const [codes, setCodes] = useState<ReadonlyArray<string>>()
  const [busy, setBusy] = useState(false)
  const renew = async (): Promise<void> => {
    setBusy(true)
    const made = await makeCodes(currentPassword)
    setBusy(false)
    if (made === undefined) return
    setCodes(made)
    setCurrentPassword("")
    await left.again()
  }
  return (
    <form
      class="card stack"
      aria-labelledby="recovery"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void renew()
      }}
    >
      <h2 id="recovery">{t("codes")}</h2>
      <p class="lead">{t("codesText")}</p>
      {left.data !== undefined && <p>{t("codesLeft", { count: left.data.total })}</p>}
      {codes !== undefined && <CodeList codes={codes} />}
      <TextField
        label={t("currentPassword")}
        type="password"
        autocomplete="current-password"
        value={currentPassword}
        onValue={setCurrentPassword}
      />
      <div>
        <Button type="submit" busy={busy}>
          {t("codesRenew")}
        </Button>
      </div>
    </form>
  )
}
