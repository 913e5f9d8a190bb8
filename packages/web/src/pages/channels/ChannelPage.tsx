import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { navigate, place, setQuery } from "../../navigation/Location.ts"
import type { PageProps } from "../../navigation/Page.ts"
import { loadMe, me } from "../../session/Me.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { ConfirmByName } from "../../ui/ConfirmByName.tsx"
import { report } from "../../ui/Outcome.ts"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { failureWords } from "../../ui/Words.ts"
import { GiveAway, givenChannel } from "../ownership/GiveAway.tsx"
import { About, type Channel } from "./About.tsx"
import { People } from "./People.tsx"
import { Pictures } from "./Pictures.tsx"

const t = text("channels")

const parts = ["about", "pictures", "people", "owner", "end"] as const

/** The end of a channel, which needs its name typed. */
const End = ({ channel }: { readonly channel: Channel }) => {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = async (): Promise<void> => {
    setBusy(true)
    const answer = await call("DELETE /api/v1/video-channels/:channelHandle", {
      params: { channelHandle: channel.name }
    })
    setBusy(false)
    setAsking(false)
    if (!report(answer, t("ended", { name: channel.displayName }))) return
    await loadMe()
    navigate("/my/channels", { replace: true })
  }
  return (
    <div class="card stack">
      <p>{t("endText")}</p>
      <div>
        <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
          {t("endAction")}
        </Button>
      </div>
      {asking && (
        <ConfirmByName
          title={t("endAsk", { name: channel.displayName })}
          text={t("endText")}
          action={t("endAction")}
          name={channel.name}
          busy={busy}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

/** One channel: its texts, pictures, people, owner and end. The part is in the address. */
export const Page = ({ params: { name = "" } }: PageProps) => {
  const { again, data, failure } = useLoad(`channel ${name}`, (signal) =>
    call("GET /api/v1/video-channels/:channelHandle", { params: { channelHandle: name }, signal })
  )
  const isOwner = data?.ownerAccount?.id === me.value?.account.id
  const shown = parts.filter((it) => isOwner || (it !== "end" && it !== "owner"))
  const part = shown.find((it) => it === place.value.query.get("part")) ?? "about"
  return (
    <>
      <header class="page-head">
        <h1>{data?.displayName ?? t("title")}</h1>
        <ButtonLink href={`/c/${name}`} icon="eye">
          {t("see")}
        </ButtonLink>
      </header>
      {failure !== undefined && <LoadFailure reason={failureWords(failure)} onRetry={() => void again()} />}
      {data === undefined && failure === undefined && <Skeleton rows={6} />}
      {data !== undefined && (
        <Tabs
          label={t("parts")}
          tabs={shown.map((key) => ({ key, label: t(key) }))}
          selected={part}
          onSelect={(key) => setQuery({ part: key === "about" ? undefined : key })}
        >
          {part === "about" && <About channel={data} onSaved={again} />}
          {part === "pictures" && <Pictures channel={data} onSaved={again} />}
          {part === "people" && <People channel={data} isOwner={isOwner} />}
          {part === "owner" && (
            <div class="card">
              <GiveAway given={givenChannel(data.name, data.displayName)} />
            </div>
          )}
          {part === "end" && <End channel={data} />}
        </Tabs>
      )}
    </>
  )
}
