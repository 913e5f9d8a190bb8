import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { failureWords } from "../../ui/Words.ts"
import { channelOptions } from "../../video-form/Choices.ts"
import { ChannelSyncs } from "./ChannelSyncs.tsx"
import { VideoImports } from "./VideoImports.tsx"

const t = text("imports")

const parts = ["videos", "channels"] as const

/** Videos and channels of other places that are brought here. The part is in the address. */
export const Page = () => {
  const config = useLoad("config", (signal) => call("GET /api/v1/config", { signal }))
  const part = parts.find((it) => it === place.value.query.get("part")) ?? "videos"
  const offered = config.data?.import
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
      </header>
      {config.failure !== undefined && (
        <LoadFailure reason={failureWords(config.failure)} onRetry={() => void config.again()} />
      )}
      {offered === undefined && config.failure === undefined && <Skeleton rows={6} />}
      {offered !== undefined && channelOptions().length === 0 && (
        <Empty icon="warning" title={t("noChannelTitle")} text={t("noChannelText")} />
      )}
      {offered !== undefined && channelOptions().length > 0 && (
        <Tabs
          label={t("parts")}
          tabs={parts.map((key) => ({ key, label: t(key) }))}
          selected={part}
          onSelect={(key) =>
            setQuery({ part: key === "videos" ? undefined : key, search: undefined, sort: undefined, start: undefined })
          }
        >
          {part === "videos" ? (
            <VideoImports offered={{ http: offered.videos.http.enabled, torrent: offered.videos.torrent.enabled }} />
          ) : (
            <ChannelSyncs http={offered.videos.http.enabled} followable={offered.videoChannelSynchronization.enabled} />
          )}
        </Tabs>
      )}
    </>
  )
}
