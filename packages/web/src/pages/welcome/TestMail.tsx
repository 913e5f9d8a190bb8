import { useEffect, useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { me } from "../../session/Me.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("welcome")

/** What became of the mail. */
interface Outcome {
  readonly kind: "waiting" | "sent" | "failed"
  readonly reason?: string
}

/** Between two questions after the mail, in milliseconds. */
const askEvery = 1500

const jobsOfMail = () =>
  call("GET /api/v1/jobs/:state?", { params: {}, query: { jobType: "email", sort: "-createdAt", count: 10 } })

/** The newest job of a mail that was not there before: what became of it, and why it failed. */
const outcomeOf = async (before: ReadonlySet<string>): Promise<Outcome> => {
  const answer = await jobsOfMail()
  if (!answer.ok) return { kind: "failed", reason: failureWords(answer) }
  const job = answer.body.data.find((it) => !before.has(String(it.id)))
  if (job === undefined) return { kind: "waiting" }
  if (job.state === "completed") return { kind: "sent" }
  const reason = typeof job.error === "string" ? job.error : job.error === null ? "" : JSON.stringify(job.error)
  return reason === "" && job.state !== "failed" ? { kind: "waiting" } : { kind: "failed", reason }
}

/** Sends a mail and says whether the mail server took it, or what failed. */
export const TestMail = () => {
  const [address, setAddress] = useState(me.value?.email ?? "")
  const [error, setError] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>()
  const [before, setBefore] = useState<ReadonlySet<string>>(new Set())
  const send = async (): Promise<void> => {
    setError(undefined)
    const known = await jobsOfMail()
    setBefore(new Set(known.ok ? known.body.data.map((it) => String(it.id)) : []))
    const answer = await call("POST /api/v1/server/debug/run-command", {
      body: { command: "test-emails", email: address.trim() }
    })
    if (answer.ok) setOutcome({ kind: "waiting" })
    else {
      setOutcome(undefined)
      setError(answer.wrong[0]?.reason ?? failureWords(answer))
    }
  }
  const waiting = outcome?.kind === "waiting"
  useEffect(() => {
    if (!waiting) return undefined
    let timer: ReturnType<typeof setTimeout>
    let gone = false
    const look = async (): Promise<void> => {
      const it = await outcomeOf(before)
      if (gone) return
      if (it.kind === "waiting") timer = setTimeout(() => void look(), askEvery)
      else setOutcome(it)
    }
    void look()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [waiting, before])
  return (
    <div class="stack">
      <div class="beside">
        <TextField
          label={t("address")}
          help={t("addressHelp")}
          type="email"
          autocomplete="email"
          value={address}
          error={error}
          onValue={setAddress}
        />
        <Button icon="mail" busy={waiting} onClick={() => void send()}>
          {t("sendMail")}
        </Button>
      </div>
      <p role="status" class={outcome?.kind === "failed" ? "f-error" : "lead"}>
        {outcome !== undefined && t("mailOutcome", { kind: outcome.kind, reason: outcome.reason ?? "" })}
      </p>
    </div>
  )
}
