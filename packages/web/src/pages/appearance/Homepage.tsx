import { constraints } from "@kinora/domain/enums/Constraints"
import { homepageText } from "@kinora/domain/text/HomepageText"
import { longestMarkdown } from "@kinora/domain/text/SafeLinks"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Answer, Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { number } from "../../i18n/Units.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("appearance")
const common = text("common")

/** The home page, empty where there is none: then its address answers that nothing is there. */
const load = async (signal: AbortSignal): Promise<Answer<{ readonly content: string }>> => {
  const config = await call("GET /api/v1/config", { signal })
  if (!config.ok) return config
  return config.body.homepage.enabled
    ? await call("GET /api/v1/custom-pages/homepage/instance", { signal })
    : { ...config, body: { content: "" } }
}

/** The text by the rules of the public page. What formats it is loaded when it is wanted. */
const Preview = ({ content }: { readonly content: string }) => {
  const place = useRef<HTMLDivElement>(null)
  const [nodes, setNodes] = useState<{ readonly of: (text: string) => DocumentFragment }>()
  useEffect(
    () =>
      void import("../../markdown/MarkdownNodes.ts").then(
        (it) => setNodes({ of: it.markdownNodes }),
        () => undefined
      ),
    []
  )
  useEffect(() => {
    const shown = homepageText(content)
    place.current?.replaceChildren(nodes === undefined ? shown : nodes.of(shown))
  }, [content, nodes])
  return <div class="rich home-preview" ref={place} role="region" aria-label={t("preview")} tabIndex={0} />
}

const Editor = ({ onSaved, saved }: { readonly saved: string; readonly onSaved: (content: string) => void }) => {
  const draft = useDraft("homepage", { content: saved })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const { content } = draft.value
  const isChanged = content !== saved
  const save = async (): Promise<void> => {
    setBusy(true)
    const answer = await call("PUT /api/v1/custom-pages/homepage/instance", { body: { content } })
    setBusy(false)
    setFailure(answer.ok ? undefined : answer)
    if (!answer.ok) return
    draft.clear({ content })
    onSaved(content)
    toast(content.trim() === "" ? t("homeRemoved") : t("homeSaved"))
  }
  return (
    <form
      class="card stack"
      aria-labelledby="home"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void save()
      }}
    >
      <h2 id="home">{t("home")}</h2>
      <p class="lead">{t("homeText")}</p>
      <div class="home-edit">
        <Field
          label={t("homeContent")}
          help={t("homeHelp")}
          error={
            failure?.wrong[0]?.reason ??
            (homepageText(content).length > longestMarkdown
              ? t("homeLong", { max: number(longestMarkdown) })
              : undefined)
          }
        >
          {(control) => (
            <textarea
              {...control}
              class="in in-area in-code"
              rows={14}
              maxLength={constraints.homepage.content.max}
              value={content}
              onInput={({ currentTarget }) => draft.set({ content: currentTarget.value })}
            />
          )}
        </Field>
        <div class="f">
          <span class="f-label">{t("preview")}</span>
          <Preview content={content} />
          <p class="f-help">{t("homePreviewHelp")}</p>
        </div>
      </div>
      <footer class="form-foot">
        <p role="alert">{failure === undefined || failure.wrong.length > 0 ? "" : failureWords(failure)}</p>
        {isChanged && !busy && <span class="form-note">{t("unsaved")}</span>}
        {isChanged && !busy && <Button onClick={() => draft.clear()}>{t("discard")}</Button>}
        {saved !== "" && (
          <ButtonLink icon="eye" href="/home">
            {t("seeHome")}
          </ButtonLink>
        )}
        <Button type="submit" kind="primary" busy={busy}>
          {common("save")}
        </Button>
      </footer>
    </form>
  )
}

/** What is read at `/home`, in Markdown, beside how it will look. */
export const Homepage = () => {
  const { again, data, failure, show } = useLoad("homepage", load)
  if (data === undefined)
    return failure === undefined ? (
      <Skeleton rows={8} />
    ) : (
      <LoadFailure reason={failureWords(failure)} onRetry={() => void again()} />
    )
  return <Editor saved={data.content} onSaved={(content) => show({ content })} />
}
