import { languages } from "@kinora/domain/i18n/Languages"
import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import { unanswered } from "../api/Answer.ts"
import { currentLanguage, useLanguage } from "../i18n/Text.ts"
import { useDraft } from "../navigation/Draft.ts"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Checkbox, SelectField, Switch } from "../ui/Choices.tsx"
import { confirm } from "../ui/Confirm.tsx"
import { TextArea, TextField } from "../ui/Field.tsx"
import { Menu } from "../ui/Menu.tsx"
import { PictureField } from "../ui/PictureField.tsx"
import { Badge, Empty, LoadFailure, Progress, Skeleton } from "../ui/States.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { TagsField } from "../ui/TagsField.tsx"
import { toast } from "../ui/Toasts.tsx"

const kinds = ["primary", "plain", "quiet", "danger"] as const

export const Buttons = () => (
  <section>
    <h2>Buttons</h2>
    {kinds.map((kind) => (
      <p class="row" key={kind}>
        <Button kind={kind}>{kind}</Button>
        <Button kind={kind} icon="check">
          with a picture
        </Button>
        <Button kind={kind} icon="pencil" label={`${kind} picture`} />
        <Button kind={kind} small>
          small
        </Button>
        <Button kind={kind} busy>
          busy
        </Button>
        <Button kind={kind} disabled>
          disabled
        </Button>
        <ButtonLink kind={kind} href="#link">
          link
        </ButtonLink>
      </p>
    ))}
    <p class="row">
      <Menu
        label="Menu"
        items={[
          { label: "Watch", icon: "play", href: "#watch" },
          { label: "Edit", icon: "pencil", onSelect: () => toast("Edit") },
          { label: "Not now", disabled: true },
          { label: "Delete", icon: "trash", danger: true, onSelect: () => toast("Delete") }
        ]}
      >
        Menu
      </Menu>
      <Button onClick={() => toast("It is saved.")}>Toast</Button>
      <Button onClick={() => toast("It could not be saved: the server is busy.", "failed")}>Failed toast</Button>
      <Button
        onClick={() =>
          void confirm({ title: "Delete this?", text: "It is gone for ever.", action: "Delete", danger: true })
        }
      >
        Dialog
      </Button>
    </p>
  </section>
)

export const Inputs = () => {
  const [value, setValue] = useState("Text")
  const draft = useDraft("components", { note: "" })
  const [tags, setTags] = useState<ReadonlyArray<string>>(["one", "another"])
  const [on, setOn] = useState(true)
  const options = ["Public", "Unlisted", "Private"].map((label) => ({ value: label, label }))
  return (
    <section>
      <h2>Fields</h2>
      <div class="form-grid">
        <div class="stack">
          <TextField label="Plain" value={value} onValue={setValue} />
          <TextField label="With help" help="Words that help." value={value} onValue={setValue} optional />
          <TextField
            label="With an error"
            error="The name must have 3 characters."
            value="ab"
            onValue={setValue}
            required
          />
          <TextField
            label="A draft"
            help="It is there again after a reload."
            value={draft.value.note}
            onValue={(note) => draft.set({ note })}
          />
          <SelectField
            label="Language of the components"
            value={currentLanguage()}
            options={languages.map(([code, name]) => ({ value: code, label: name }))}
            onValue={(code) => void useLanguage(code)}
          />
          <TextField label="Disabled" value={value} onValue={setValue} disabled />
          <TagsField label="Tags" value={tags} max={5} onValue={setTags} />
          <PictureField
            title="Picture"
            help="Sending it fails here: there is nobody to take it."
            choose="Choose a picture"
            remove="Remove the picture"
            limits={constraints.actorImage}
            onSaved={() => Promise.resolve()}
            send={() => Promise.resolve(unanswered)}
            onRemove={() => Promise.resolve(unanswered)}
          />
        </div>
        <div class="stack">
          <TextArea label="Several lines" value={value} onValue={setValue} />
          <SelectField label="Select" value="Public" options={options} onValue={() => {}} />
          <SelectField
            label="Select with an error"
            error="Choose another one."
            value="Private"
            options={options}
            onValue={() => {}}
          />
          <Switch label="Switch" help="Words that help." checked={on} onChecked={setOn} />
          <Switch label="Off and disabled" checked={false} disabled onChecked={setOn} />
          <Checkbox label="Checkbox" checked={on} onChecked={setOn} />
        </div>
      </div>
    </section>
  )
}

export const Feedback = () => {
  const [tab, setTab] = useState("one")
  return (
    <section>
      <h2>States</h2>
      <p class="row">
        <Badge>plain</Badge>
        <Badge kind="good">good</Badge>
        <Badge kind="warn">warn</Badge>
        <Badge kind="bad">bad</Badge>
      </p>
      <div class="stack">
        <Progress label="Known" value={0.6} />
        <Progress label="Unknown" />
        <LoadFailure reason="The server cannot be reached. Is there a connection?" onRetry={() => {}} />
        <Tabs
          label="Tabs"
          tabs={[
            { key: "one", label: "One" },
            { key: "two", label: "Two" },
            { key: "three", label: "Three" }
          ]}
          selected={tab}
          onSelect={setTab}
        >
          <p>This is tab {tab}.</p>
        </Tabs>
        <Skeleton rows={3} />
        <Empty icon="film" title="Nothing here yet" text="What you upload appears here.">
          <Button kind="primary">Upload</Button>
        </Empty>
      </div>
    </section>
  )
}
