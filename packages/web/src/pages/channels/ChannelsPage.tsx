import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { me } from "../../session/Me.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { Button } from "../../ui/Button.tsx"
import { Badge, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { NewChannel } from "./NewChannel.tsx"

const t = text("channels")

type Channel = Output<"GET /api/v1/accounts/:name/video-channels">["data"][number]

const Item = ({ channel }: { readonly channel: Channel }) => (
  <li>
    <Avatar name={channel.displayName} pictures={channel.avatars} />
    <div class="rows-words">
      <a href={`/my/channels/${channel.name}`} aria-label={t("manage", { name: channel.displayName })}>
        {channel.displayName}
      </a>
      <span>
        {t("videos", { count: channel.videosCount ?? 0 })} · {t("followers", { count: channel.followersCount })} ·{" "}
        {t("views", { count: channel.totalViews ?? 0 })}
      </span>
    </div>
    {channel.ownerAccount?.id !== me.value?.account.id && <Badge>{t("shared")}</Badge>}
    <span class="rows-acts">
      <a class="btn btn-quiet" href={`/c/${channel.name}`} aria-label={`${t("see")}: ${channel.displayName}`}>
        {t("see")}
      </a>
    </span>
  </li>
)

/** The channels of the user, and those they work on for others. */
export const Page = () => {
  const name = me.value?.account.name ?? ""
  const [making, setMaking] = useState(false)
  const list = useLoad("channels", (signal) =>
    call("GET /api/v1/accounts/:name/video-channels", {
      params: { name },
      query: { count: 100, withStats: true, includeCollaborations: true },
      signal
    })
  )
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
        <Button kind="primary" onClick={() => setMaking(true)}>
          {t("create")}
        </Button>
      </header>
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={3} />}
      {list.data !== undefined && (
        <ul class="card rows" aria-label={t("list")}>
          {list.data.data.map((it) => (
            <Item key={it.id} channel={it} />
          ))}
        </ul>
      )}
      {making && (
        <NewChannel
          onClose={() => setMaking(false)}
          onMade={() => {
            setMaking(false)
            void list.again()
          }}
        />
      )}
    </>
  )
}
