import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { bytes } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Progress } from "../../ui/States.tsx"
import { useLive } from "../admin/Live.ts"

const t = text("redundancy")

/** The room that each strategy may take, and has taken. */
export const Room = () => {
  const stats = useLoad("room of mirrors", (signal) => call("GET /api/v1/server/stats", { signal }))
  useLive(stats.again)
  // Mirrors that are made by hand have no bound: the list says how much they take.
  const bounded = (stats.data?.videosRedundancy ?? []).filter((it) => it.totalSize !== null)
  if (bounded.length === 0) return null
  return (
    <ul class="mirror-room" aria-label={t("room")}>
      {bounded.map(({ strategy, totalSize, totalUsed, totalVideos }) => {
        const name = t("strategyName", { strategy: strategy.replaceAll("-", "_") })
        return (
          <li key={strategy} class="card">
            <strong>{name}</strong>
            <Progress label={t("roomOf", { name })} value={totalUsed} max={totalSize ?? 1} />
            <span class="soft">
              {t("roomTaken", { used: bytes(totalUsed), size: bytes(totalSize ?? 0), count: totalVideos })}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
