import { Dialog } from "../../ui/Dialog.tsx"

/** Something that the server keeps as JSON, as it is, with a line above. */
export interface FactsOf {
  readonly title: string
  readonly lead?: string
  readonly parts: ReadonlyArray<{ readonly label: string; readonly value: unknown }>
}

/** Shows facts in full, to read and to copy. */
export const FactsDialog = ({ facts, onClose }: { readonly facts: FactsOf; readonly onClose: () => void }) => (
  <Dialog title={facts.title} onClose={onClose}>
    <div class="stack facts-dialog">
      {facts.lead !== undefined && <p class="words">{facts.lead}</p>}
      {facts.parts.map(({ label, value }) => (
        <section key={label} aria-label={label}>
          <h3>{label}</h3>
          <pre tabIndex={0}>{typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}</pre>
        </section>
      ))}
    </div>
  </Dialog>
)
