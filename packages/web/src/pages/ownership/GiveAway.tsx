import { OwnershipState } from "@kinora/domain/enums/OwnershipState"
import { useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { day } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { act } from "../admin/Acts.ts"

const t = text("ownership")

type Offers = Output<"GET /api/v1/videos/:id/ownership">

/** What is given away, and the calls for it. */
export interface Given {
  readonly kind: "video" | "channel"
  /** Id of the video, or name of the channel in addresses. */
  readonly id: number | string
  readonly name: string
  readonly offers: (signal: AbortSignal) => Promise<Answer<Offers>>
  readonly give: (username: string) => Promise<Answer>
  readonly withdraw: (id: number) => Promise<Answer>
}

/** A video that its owner gives away. */
export const givenVideo = (id: number, name: string): Given => ({
  kind: "video",
  id,
  name,
  offers: (signal) =>
    call("GET /api/v1/videos/:id/ownership", { params: { id }, query: { state: OwnershipState.pending }, signal }),
  give: (username) => call("POST /api/v1/videos/:id/give-ownership", { params: { id }, body: { username } }),
  withdraw: (offer) => call("DELETE /api/v1/videos/ownership/:id", { params: { id: offer } })
})

/** A channel that its owner gives away, with all its videos. */
export const givenChannel = (channelHandle: string, name: string): Given => {
  const path = "/api/v1/video-channels/:channelHandle"
  const params = { channelHandle }
  return {
    kind: "channel",
    id: channelHandle,
    name,
    offers: (signal) => call(`GET ${path}/ownership`, { params, query: { state: OwnershipState.pending }, signal }),
    give: (username) => call(`POST ${path}/give-ownership`, { params, body: { username } }),
    withdraw: (offer) => call("DELETE /api/v1/video-channels/ownership/:id", { params: { id: offer } })
  }
}

/** Offers something to another user; while they have not answered, the offer can be withdrawn. */
export const GiveAway = ({ given }: { readonly given: Given }) => {
  const { id, kind, name } = given
  const offers = useLoad(`offers ${kind} ${id}`, given.offers)
  const [username, setUsername] = useState("")
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const give = async (): Promise<void> => {
    const to = username.trim()
    if (to === "") return setError(t("toWhom"))
    const yes = await confirm({
      title: t("giveAsk", { name, to }),
      text: t("giveWarning", { kind }),
      action: t("give"),
      danger: true
    })
    if (!yes) return
    setBusy(true)
    const answer = await given.give(to)
    setBusy(false)
    if (!answer.ok) return setError(answer.wrong[0]?.reason ?? failureWords(answer))
    setUsername("")
    toast(t("offered", { to }))
    await offers.again()
  }
  const withdraw = async (id: number): Promise<void> => {
    if (await act(given.withdraw(id), t("withdrawn"))) await offers.again()
  }
  const waiting = offers.data?.data ?? []
  return (
    <section class="stack" aria-label={t("giveTitle", { kind })}>
      <h2>{t("giveTitle", { kind })}</h2>
      <p class="lead">{t("giveText", { kind })}</p>
      {offers.failure !== undefined && (
        <LoadFailure reason={failureWords(offers.failure)} onRetry={() => void offers.again()} />
      )}
      {offers.data === undefined && offers.failure === undefined && <Skeleton rows={2} />}
      {waiting.map((it) => (
        <div class="notice" key={it.id} role="status">
          <p>{t("waitsFor", { name: it.nextOwnerAccount.displayName, day: day(it.createdAt) })}</p>
          <Button onClick={() => void withdraw(it.id)}>{t("withdraw")}</Button>
        </div>
      ))}
      {offers.data !== undefined && waiting.length === 0 && (
        <form
          class="beside"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) void give()
          }}
        >
          <TextField
            label={t("username")}
            help={t("usernameHelp")}
            value={username}
            error={error}
            onValue={(it) => {
              setError(undefined)
              setUsername(it)
            }}
          />
          <Button type="submit" busy={busy}>
            {t("give")}
          </Button>
        </form>
      )}
    </section>
  )
}
