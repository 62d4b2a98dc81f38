import { Argument, InvalidArgumentError, Option } from 'commander'

/** What a command takes from the command line under one name: an option or an argument, and the type of its value. */
export interface Setting<Value> {
  readonly part: Option | Argument
  /** Its value where nothing was typed and the part has no default of its own, which its help would show. */
  readonly absent: Value
}

/** All that a command takes, by the name under which it gets each value: that of commander for options. */
export type Settings = Readonly<Record<string, Setting<unknown>>>

/** What a command is given for its settings. */
export type ValuesOf<Taken extends Settings> = {
  readonly [Name in keyof Taken]: Taken[Name] extends Setting<infer Value> ? Value : never
}

/** An option without a value: false until it is given. One that begins with `--no-` is true until then. */
export function flag(flags: string, description: string): Setting<boolean> {
  const part = new Option(flags, description)
  return { part, absent: part.negate }
}

/** An option with a value of any kind. */
export function text(flags: string, description: string): Setting<string | undefined> {
  return { part: new Option(flags, description), absent: undefined }
}

/** The same with a value where none is given. */
export function textOr(flags: string, description: string, value: string): Setting<string> {
  return { part: new Option(flags, description).default(value), absent: value }
}

/** An option that must be given. */
export function neededText(flags: string, description: string): Setting<string> {
  return { part: new Option(flags, description).makeOptionMandatory(), absent: '' }
}

/** An option with one of a few values. */
export function choice<const Choice extends string>(
  flags: string,
  description: string,
  choices: readonly Choice[],
): Setting<Choice | undefined> {
  return { part: new Option(flags, description).choices(choices), absent: undefined }
}

/** The same with one where none is given. */
export function choiceOr<const Choice extends string>(
  flags: string,
  description: string,
  choices: readonly Choice[],
  value: NoInfer<Choice>,
): Setting<Choice> {
  return { part: new Option(flags, description).choices(choices).default(value), absent: value }
}

/** An option with several values (`<node...>`). */
export function texts(flags: string, description: string): Setting<string[] | undefined> {
  return { part: new Option(flags, description), absent: undefined }
}

/** The same, each one of a few. */
export function choices<const Choice extends string>(
  flags: string,
  description: string,
  values: readonly Choice[],
): Setting<Choice[] | undefined> {
  return { part: new Option(flags, description).choices(values), absent: undefined }
}

/** The same with some where none is given. */
export function choicesOr<const Choice extends string>(
  flags: string,
  description: string,
  values: readonly Choice[],
  given: readonly NoInfer<Choice>[],
): Setting<readonly Choice[]> {
  return { part: new Option(flags, description).choices(values).default(given), absent: given }
}

/** An option whose value `parse` reads. It throws `InvalidArgumentError`. */
export function parsed<Value>(
  flags: string,
  description: string,
  parse: (text: string) => Value,
): Setting<Value | undefined> {
  return { part: new Option(flags, description).argParser(parse), absent: undefined }
}

/** A number of hours, up to a year. */
export function hoursOr(flags: string, description: string, value: number): Setting<number> {
  const part = new Option(flags, description).argParser(readHours).default(value)
  return { part, absent: value }
}

/** What stands behind the command, and must. */
export function argument(name: string, description = ''): Setting<string> {
  return { part: new Argument(name, description), absent: '' }
}

/** What may stand behind it (`[path]`). */
export function optionalArgument(name: string): Setting<string | undefined> {
  return { part: new Argument(name), absent: undefined }
}

/** All else that stands behind it (`[paths...]`). */
export function restArguments(name: string): Setting<readonly string[]> {
  return { part: new Argument(name), absent: [] }
}

/** The same, one of a few. */
export function chosenArgument<const Choice extends string>(
  name: string,
  description: string,
  values: readonly [Choice, ...Choice[]],
): Setting<Choice> {
  return { part: new Argument(name, description).choices(values), absent: values[0] }
}

/** A setting that cannot be given with others, each by its name. */
export function without<Value>(setting: Setting<Value>, ...others: string[]): Setting<Value> {
  if (setting.part instanceof Option) setting.part.conflicts(others)
  return setting
}

function readHours(text: string): number {
  const hours = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(hours) && hours > 0 && hours <= 8_760) return hours
  throw new InvalidArgumentError('It must be a number of hours, at most 8760.')
}
