import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { TextArea } from "../../ui/Field.tsx"
import { report } from "../../ui/Outcome.ts"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { type Chapter, chaptersOf, linesOf } from "./ChapterLines.ts"
import type { VideoDetails } from "./Editable.ts"

const t = text("edit")

const ChapterForm = ({
  chapters,
  id,
  onSaved
}: {
  readonly id: number
  readonly chapters: ReadonlyArray<Chapter>
  readonly onSaved: () => Promise<void>
}) => {
  const draft = useDraft(`chapters.${id}`, { lines: linesOf(chapters) })
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const written = chaptersOf(draft.value.lines)
  const save = async (): Promise<void> => {
    setTried(true)
    if (typeof written === "number") return
    setBusy(true)
    const answer = await call("PUT /api/v1/videos/:id/chapters", { params: { id }, body: { chapters: written } })
    if (report(answer, t("chaptersSaved", { count: written.length }))) {
      await onSaved()
      draft.clear()
      draft.set({ lines: linesOf(written) })
    }
    setBusy(false)
  }
  return (
    <form
      class="card stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void save()
      }}
    >
      <TextArea
        label={t("chaptersField")}
        help={t("chaptersHelp")}
        value={draft.value.lines}
        onValue={(lines) => draft.set({ lines })}
        error={tried && typeof written === "number" ? t("chapterWrong", { line: written }) : undefined}
        rows={8}
      />
      <div class="acts">
        <Button type="submit" kind="primary" busy={busy}>
          {t("save")}
        </Button>
      </div>
    </form>
  )
}

/** What is where in a video, as lines that can be pasted. */
export const Chapters = ({ video }: { readonly video: VideoDetails }) => {
  const { id } = video
  const loaded = useLoad(`chapters ${id}`, (signal) =>
    call("GET /api/v1/videos/:id/chapters", { params: { id }, signal })
  )
  if (loaded.failure !== undefined) {
    return <LoadFailure reason={failureWords(loaded.failure)} onRetry={() => void loaded.again()} />
  }
  if (loaded.data === undefined) return <Skeleton rows={4} />
  return <ChapterForm id={id} chapters={loaded.data.chapters} onSaved={loaded.again} />
}
