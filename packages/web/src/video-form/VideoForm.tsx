import { constraints } from "@kinora/domain/enums/Constraints"
import { commentsPolicies } from "@kinora/domain/enums/CommentsPolicy"
import { videoPrivacies, VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Failure } from "../api/Answer.ts"
import { text } from "../i18n/Text.ts"
import { type Option, SelectField, Switch } from "../ui/Choices.tsx"
import { TextArea, TextField } from "../ui/Field.tsx"
import { TagsField } from "../ui/TagsField.tsx"
import { categoryOptions, languageOptions, licenceOptions, privacyOptions } from "./Choices.ts"
import type { FieldErrors, VideoFields } from "./Fields.ts"

const t = text("form")

interface FormProps {
  readonly fields: VideoFields
  readonly channels: ReadonlyArray<Option>
  /** Shown once the person has tried to send the form. */
  readonly errors: FieldErrors
  /** What the server found wrong. */
  readonly refusal: Failure | undefined
  readonly onChange: (fields: Partial<VideoFields>) => void
  /** In place of the field for one password, where a video has several. */
  readonly passwords?: ComponentChildren
  /** A live is published when it begins: no time is asked for. */
  readonly isLive?: boolean
  /** More fields below the texts. */
  readonly children?: ComponentChildren
}

/** Everything about a video that its maker may change, for uploads and for edits. */
export const VideoForm = ({
  channels,
  children,
  errors,
  fields,
  isLive = false,
  onChange,
  passwords,
  refusal
}: FormProps) => {
  const [languages, setLanguages] = useState<ReadonlyArray<Option>>([{ value: "", label: t("none") }])
  useEffect(() => void languageOptions().then(setLanguages), [])
  const errorOf = (name: keyof VideoFields): string | undefined => {
    const own = name in errors ? errors[name as keyof FieldErrors] : undefined
    return own === undefined ? refusal?.wrong.find((it) => it.name === name)?.reason : t(own)
  }
  return (
    <div class="form-grid">
      <div class="stack">
        <TextField
          label={t("name")}
          value={fields.name}
          onValue={(name) => onChange({ name })}
          error={errorOf("name")}
          maxLength={constraints.video.name.max}
          required
        />
        <TextArea
          label={t("description")}
          help={t("descriptionHelp")}
          value={fields.description}
          onValue={(description) => onChange({ description })}
          error={errorOf("description")}
          rows={6}
        />
        <TagsField
          label={t("tags")}
          help={t("tagsHelp", { max: constraints.video.tags.max })}
          value={fields.tags}
          max={constraints.video.tags.max}
          onValue={(tags) => onChange({ tags })}
          error={errorOf("tags")}
        />
        <div class="two">
          <SelectField
            label={t("category")}
            value={fields.category}
            options={categoryOptions()}
            onValue={(category) => onChange({ category })}
            error={errorOf("category")}
          />
          <SelectField
            label={t("language")}
            value={fields.language}
            options={languages}
            onValue={(language) => onChange({ language })}
            error={errorOf("language")}
          />
        </div>
        <SelectField
          label={t("licence")}
          value={fields.licence}
          options={licenceOptions()}
          onValue={(licence) => onChange({ licence })}
          error={errorOf("licence")}
        />
        {children}
      </div>
      <div class="stack">
        <SelectField
          label={t("channel")}
          value={String(fields.channelId)}
          options={channels}
          onValue={(id) => onChange({ channelId: Number(id) })}
          error={errorOf("channelId")}
        />
        <SelectField
          label={t("privacy")}
          help={t("privacyHelp", { id: fields.privacy })}
          value={String(fields.privacy)}
          options={privacyOptions()}
          onValue={(value) =>
            onChange({ privacy: videoPrivacies.find((id) => String(id) === value) ?? VideoPrivacy.private })
          }
          error={errorOf("privacy")}
        />
        {fields.privacy === VideoPrivacy.passwordProtected &&
          (passwords ?? (
            <TextField
              label={t("password")}
              value={fields.password}
              onValue={(password) => onChange({ password })}
              error={errorOf("password")}
              required
            />
          ))}
        {!isLive && fields.privacy === VideoPrivacy.public && (
          <TextField
            label={t("publishAt")}
            help={t("publishAtHelp")}
            type="datetime-local"
            value={fields.publishAt}
            onValue={(publishAt) => onChange({ publishAt })}
            error={errorOf("publishAt")}
          />
        )}
        <SelectField
          label={t("comments")}
          value={String(fields.commentsPolicy)}
          options={commentsPolicies.map((id) => ({ value: String(id), label: t("commentsName", { id }) }))}
          onValue={(value) => onChange({ commentsPolicy: commentsPolicies.find((id) => String(id) === value) ?? 1 })}
        />
        <Switch
          label={t("download")}
          checked={fields.downloadEnabled}
          onChecked={(downloadEnabled) => onChange({ downloadEnabled })}
        />
        <Switch
          label={t("sensitive")}
          help={t("sensitiveHelp")}
          checked={fields.nsfw}
          onChecked={(nsfw) => onChange({ nsfw })}
        />
      </div>
    </div>
  )
}
