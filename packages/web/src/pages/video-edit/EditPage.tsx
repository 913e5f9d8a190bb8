import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import type { PageProps } from "../../navigation/Page.ts"
import { mayUse, me } from "../../session/Me.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { failureWords } from "../../ui/Words.ts"
import { GiveAway, givenVideo } from "../ownership/GiveAway.tsx"
import { State } from "../videos/State.tsx"
import { Captions } from "./Captions.tsx"
import { Chapters } from "./Chapters.tsx"
import { Details } from "./Details.tsx"
import { type Editable, loadEditable } from "./Editable.ts"
import { SourceFile } from "./SourceFile.tsx"
import { Thumbnail } from "./Thumbnail.tsx"

const t = text("edit")

const parts = ["details", "thumbnail", "captions", "chapters", "file", "owner"] as const
type Part = (typeof parts)[number]

const Chosen = ({
  editable,
  onSaved,
  part
}: {
  readonly part: Part
  readonly editable: Editable
  readonly onSaved: () => Promise<void>
}) => {
  const { video } = editable
  switch (part) {
    case "details":
      return <Details key={video.updatedAt} editable={editable} onSaved={onSaved} />
    case "thumbnail":
      return <Thumbnail video={video} onSaved={onSaved} />
    case "captions":
      return <Captions video={video} />
    case "chapters":
      return <Chapters video={video} />
    case "file":
      return <SourceFile video={video} onSaved={onSaved} />
    case "owner":
      return (
        <div class="card">
          <GiveAway given={givenVideo(video.id, video.name)} />
        </div>
      )
  }
}

/** Its owner gives a video away, and who may do so with those of others. */
const mayGive = ({ video }: Editable): boolean =>
  video.account.id === me.value?.account.id || mayUse("CHANGE_VIDEO_OWNERSHIP")

/** One video of the user: its details, pictures, captions, chapters, file and owner. The part is in the address. */
export const Page = ({ params: { id = "" } }: PageProps) => {
  const { again, data, failure } = useLoad(`edit ${id}`, (signal) => loadEditable(id, signal))
  const shown = parts.filter((it) => it !== "owner" || (data !== undefined && mayGive(data)))
  const part = shown.find((it) => it === place.value.query.get("part")) ?? "details"
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{data === undefined ? t("title") : data.video.name}</h1>
          {data !== undefined && <State key={data.video.updatedAt} video={data.video} />}
        </div>
        {data !== undefined && (
          <ButtonLink href={`/w/${data.video.shortUUID}`} icon="play">
            {t("watch")}
          </ButtonLink>
        )}
      </header>
      {failure !== undefined && <LoadFailure reason={failureWords(failure)} onRetry={() => void again()} />}
      {data === undefined && failure === undefined && <Skeleton rows={8} />}
      {data !== undefined && (
        <Tabs
          label={t("parts")}
          tabs={shown.map((key) => ({ key, label: t(key) }))}
          selected={part}
          onSelect={(key) => setQuery({ part: key === "details" ? undefined : key })}
        >
          <Chosen part={part} editable={data} onSaved={again} />
        </Tabs>
      )}
    </>
  )
}
