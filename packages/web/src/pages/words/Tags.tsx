import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Switch } from "../../ui/Choices.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { act } from "../admin/Acts.ts"
import { type Tag, type Watcher, watching } from "./Watching.ts"

const t = text("words")

const labelOf = ({ name, type }: Tag): string => (type === "core" ? t("externalLink") : name)

/** For which tags something is done: comments wait for review below a user's videos, new videos of the instance are blocked. */
export const Tags = ({ by }: { readonly by: Watcher }) => {
  const calls = watching(by)
  const tags = useLoad(`tags ${by}`, calls.tags)
  const chosen = useLoad(`chosen tags ${by}`, calls.chosen)
  const failure = tags.failure ?? chosen.failure
  const choose = async (tag: Tag, on: boolean): Promise<void> => {
    const before = chosen.data ?? []
    const after = on ? [...before, tag.name] : before.filter((it) => it !== tag.name)
    chosen.show(after)
    const said = on ? t("isChosen", { by, tag: labelOf(tag) }) : t("isLeft", { by, tag: labelOf(tag) })
    if (!(await act(calls.choose(after), said))) chosen.show(before)
  }
  return (
    <div class="card stack">
      <p class="lead">{t("tagsText", { by })}</p>
      {failure !== undefined && (
        <LoadFailure reason={failureWords(failure)} onRetry={() => void Promise.all([tags.again(), chosen.again()])} />
      )}
      {failure === undefined && (tags.data === undefined || chosen.data === undefined) && <Skeleton rows={3} />}
      {tags.data !== undefined &&
        chosen.data !== undefined &&
        tags.data.available.map((tag) => (
          <Switch
            key={tag.name}
            label={labelOf(tag)}
            help={tag.type === "core" ? t("externalLinkHelp") : t("tagHelp")}
            checked={chosen.data?.includes(tag.name) === true}
            onChecked={(on) => void choose(tag, on)}
          />
        ))}
    </div>
  )
}
