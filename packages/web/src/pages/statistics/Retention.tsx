import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { clock, percent } from "../../i18n/Units.ts"
import { Export } from "./Parts.tsx"

const t = text("statistics")

type Points = Output<"GET /api/v1/videos/:id/stats/retention">["data"]

/** Part of the viewers who see each second, as an area over the length of the video. */
export const Retention = ({ file, points }: { readonly file: string; readonly points: Points }) => {
  const last = points.at(-1)
  if (last === undefined) return null
  const width = Math.max(1, last.second)
  const line = points.map((it) => `${(1000 * it.second) / width},${200 - 2 * Math.min(100, it.retentionPercent)}`)
  const middle = points[Math.floor(points.length / 2)]?.retentionPercent ?? 0
  const words = [
    `0:00 ${percent((points[0]?.retentionPercent ?? 0) / 100)}`,
    `${clock(width / 2)} ${percent(middle / 100)}`,
    `${clock(last.second)} ${percent(last.retentionPercent / 100)}`
  ]
  return (
    <section class="card stack" aria-labelledby="retention">
      <header class="acts s-head">
        <h2 id="retention">{t("retention")}</h2>
        <Export
          what={t("retention")}
          file={file}
          columns={[t("second"), t("share")]}
          rows={points.map((it) => [it.second, it.retentionPercent] as const)}
        />
      </header>
      <p class="lead">{t("retentionHelp")}</p>
      <svg class="s-area" viewBox="0 0 1000 200" preserveAspectRatio="none" aria-hidden="true">
        <polygon points={`0,200 ${line.join(" ")} 1000,200`} />
        <polyline points={line.join(" ")} />
      </svg>
      <p class="s-scale">
        {words.map((it) => (
          <span key={it}>{it}</span>
        ))}
      </p>
    </section>
  )
}
