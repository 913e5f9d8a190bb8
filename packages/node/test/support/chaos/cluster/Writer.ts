import { randomUUID } from "node:crypto"

/** Somebody with a session at an instance. */
export interface Person {
  readonly url: string
  readonly auth: Record<string, string>
}

/** A comment that somebody wrote. */
export interface Written {
  readonly text: string
  /** Whether the instance said that it has it. An unanswered one may be there or not. */
  readonly isAcknowledged: boolean
}

const ratings = ["like", "none", "dislike", "like"] as const

/** What a thing that is set again and again may be: the last that was acknowledged, or one whose answer was lost after it. */
export class Setting {
  private readonly possible = new Set<string>()

  put(value: string, isAcknowledged: boolean): void {
    if (isAcknowledged) {
      // An earlier one that was never answered may still arrive after it, as with any server.
      for (const one of this.possible) if (!this.unanswered.has(one)) this.possible.delete(one)
    } else this.unanswered.add(value)
    this.possible.add(value)
  }

  private readonly unanswered = new Set<string>()

  allows(value: string): boolean {
    return this.possible.size === 0 || this.possible.has(value)
  }

  get wanted(): string {
    return [...this.possible].join(" or ")
  }

  /** After a quiet time nothing is under way: what stands now is what it is. */
  settle(value: string): void {
    this.possible.clear()
    this.unanswered.clear()
    this.possible.add(value)
  }
}

/** Writes comments, ratings and edits, one after another, and remembers what was acknowledged. */
export class Writer {
  readonly comments: Array<Written> = []
  readonly ratings: ReadonlyArray<Setting>
  readonly title = new Setting()
  /** Writes that were not acknowledged, by how they ended. */
  readonly troubles = new Map<string, number>()
  acknowledged = 0
  private readonly people: ReadonlyArray<Person>
  private readonly owner: Person | undefined
  private readonly video: string
  private readonly mark: string
  private stopping = false
  private running: Promise<void> | undefined
  private turn = 0

  /** `owner` edits the video; without one nobody does. */
  constructor(set: {
    readonly people: ReadonlyArray<Person>
    readonly owner?: Person
    readonly video: string
    readonly mark: string
  }) {
    this.people = set.people
    this.owner = set.owner
    this.video = set.video
    this.mark = set.mark
    this.ratings = set.people.map(() => new Setting())
  }

  start(millis: number): void {
    this.stopping = false
    this.running = (async () => {
      while (!this.stopping) {
        await this.one()
        await new Promise((next) => setTimeout(next, millis))
      }
    })()
  }

  async stop(): Promise<void> {
    this.stopping = true
    await this.running
  }

  private async one(): Promise<void> {
    const turn = this.turn++
    const round = Math.floor(turn / 3)
    const who = round % this.people.length
    const person = this.people[who]!
    if (turn % 3 === 0) {
      const rating = ratings[Math.floor(round / this.people.length) % ratings.length]!
      this.ratings[who]!.put(rating, await this.send(person, "PUT", `${this.video}/rate`, { rating }))
    } else if (turn % 3 === 1 && this.owner !== undefined) {
      const name = `Title ${turn}`
      this.title.put(name, await this.send(this.owner, "PUT", this.video, { name }))
    } else {
      const text = `${this.mark} ${turn} ${randomUUID()}`
      const isAcknowledged = await this.send(person, "POST", `${this.video}/comment-threads`, { text })
      this.comments.push({ text, isAcknowledged })
    }
  }

  private async send({ auth, url }: Person, method: string, path: string, body: unknown): Promise<boolean> {
    const answer = await fetch(`${url}/api/v1/videos/${path}`, {
      method,
      headers: { ...auth, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000)
    }).catch(() => undefined)
    const isAcknowledged = answer?.ok === true
    if (isAcknowledged) this.acknowledged++
    else {
      const how = answer === undefined ? "cut" : String(answer.status)
      this.troubles.set(how, (this.troubles.get(how) ?? 0) + 1)
    }
    await answer?.arrayBuffer().catch(() => undefined)
    return isAcknowledged
  }
}
