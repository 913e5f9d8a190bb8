import { useState } from "preact/hooks"
import { encode } from "uqr"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { loadMe, type Me } from "../../session/Me.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { report } from "../../ui/Outcome.ts"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { CodeList, makeCodes } from "./RecoveryCodes.tsx"

const t = text("settings")

type Request = Output<"POST /api/v1/users/:id/two-factor/request">[number]["otpRequest"]

/** The address as a QR code, black on white in every scheme. It is drawn here: the secret goes nowhere. */
const Code = ({ address }: { readonly address: string }) => {
  const { data, size } = encode(address, { border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("")
  return (
    <svg class="code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t("factorPicture")}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}

/** A second factor: set up with the password and a first code, turned off with the password. */
export const SecondFactor = ({ user }: { readonly user: Me }) => {
  const [currentPassword, setCurrentPassword] = useState("")
  const [request, setRequest] = useState<Request>()
  const [code, setCode] = useState("")
  const [busy, setBusy] = useState(false)
  /** The password that began the set-up also makes the first recovery codes. */
  const [confirmed, setConfirmed] = useState("")
  const [codes, setCodes] = useState<ReadonlyArray<string>>()
  const params = { id: user.id }
  const start = async (): Promise<void> => {
    const answer = await call("POST /api/v1/users/:id/two-factor/request", { params, body: { currentPassword } })
    if (!answer.ok) return toast(failureWords(answer), "failed")
    setRequest(answer.body[0]?.otpRequest)
    setConfirmed(currentPassword)
    setCurrentPassword("")
  }
  const turnOn = async (requestToken: string): Promise<void> => {
    const body = { requestToken, otpToken: code.replaceAll(/\s/g, "") }
    const answer = await call("POST /api/v1/users/:id/two-factor/confirm-request", { params, body })
    if (!report(answer, t("factorTurnedOn"))) return
    setRequest(undefined)
    setCode("")
    setCodes(await makeCodes(confirmed))
    setConfirmed("")
    await loadMe()
  }
  const turnOff = async (): Promise<void> => {
    const answer = await call("POST /api/v1/users/:id/two-factor/disable", { params, body: { currentPassword } })
    if (!report(answer, t("factorTurnedOff"))) return
    setCurrentPassword("")
    setCodes(undefined)
    await loadMe()
  }
  const go = async (): Promise<void> => {
    setBusy(true)
    await (request !== undefined ? turnOn(request.requestToken) : user.twoFactorEnabled ? turnOff() : start())
    setBusy(false)
  }
  return (
    <form
      class="card stack"
      aria-labelledby="factor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void go()
      }}
    >
      <h2 id="factor">{t("factor")}</h2>
      {request === undefined ? (
        <>
          <p class="lead">{t(user.twoFactorEnabled ? "factorOn" : "factorOff")}</p>
          {codes !== undefined && <CodeList codes={codes} />}
          <TextField
            label={t("currentPassword")}
            type="password"
            autocomplete="current-password"
            value={currentPassword}
            onValue={setCurrentPassword}
          />
        </>
      ) : (
        <>
          <p class="lead">{t("factorScan")}</p>
          <Code address={request.uri} />
          <dl class="facts">
            <dt>{t("factorSecret")}</dt>
            <dd>
              <code>{request.secret}</code>
            </dd>
          </dl>
          <TextField
            label={t("factorCode")}
            autocomplete="one-time-code"
            inputMode="numeric"
            value={code}
            onValue={setCode}
          />
        </>
      )}
      <div>
        <Button type="submit" busy={busy} kind={user.twoFactorEnabled ? "danger" : "plain"}>
          {t(request !== undefined ? "factorConfirm" : user.twoFactorEnabled ? "factorStop" : "factorStart")}
        </Button>
      </div>
    </form>
  )
}
