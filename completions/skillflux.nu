module completions {

  def "nu-complete skillflux color" [] {
    [ "auto" "always" "never" ]
  }

  # Finds the few Agent Skills that fit a task and prints a catalog of them for a coding agent
  export extern skillflux [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete skillflux catalog format" [] {
    [ "xml" "json" "markdown" "lines" "cloudflare" ]
  }

  def "nu-complete skillflux catalog color" [] {
    [ "auto" "always" "never" ]
  }

  # Print the catalog of the few skills that fit a task
  export extern "skillflux catalog" [
    --format: string@"nu-complete skillflux catalog format" # The form of the catalog
    --discover                # Search remote sources for what the skills on this machine leave open, and add what they offer
    --session: string         # What the offers belong to [default: this terminal]
    --max: string             # The most skills in it [default: maxActiveSkills of the configuration]
    --budget-tokens: string   # The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux catalog color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    task: string              # The task, as the person put it; `-` reads it from standard input
  ]

  def "nu-complete skillflux list color" [] {
    [ "auto" "always" "never" ]
  }

  # List every skill on this machine, with problems and shadowing
  export extern "skillflux list" [
    --agent: string           # Only the folders that this agent reads (its id, for instance claude-code)
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux list color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux show color" [] {
    [ "auto" "always" "never" ]
  }

  # Show one skill: header, files, digest, and what a strict reader would object to
  export extern "skillflux show" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux show color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    skill: string             # A name, a folder, or a location that a catalog printed
  ]

  def "nu-complete skillflux load color" [] {
    [ "auto" "always" "never" ]
  }

  # Print a skill's instructions and the list of its resources
  export extern "skillflux load" [
    --yes(-y)                 # Approve without being asked
    --session: string         # What the mount belongs to [default: this terminal]
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux load color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    skill: string             # A name, a folder, a location or id that a catalog printed, or what `mount` takes
  ]

  def "nu-complete skillflux read color" [] {
    [ "auto" "always" "never" ]
  }

  # Print one file of a skill
  export extern "skillflux read" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux read color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    skill: string             # A name, a folder, or a location that a catalog printed
    path: string              # The file's path inside the skill
  ]

  def "nu-complete skillflux explain format" [] {
    [ "xml" "json" "markdown" "lines" "cloudflare" ]
  }

  def "nu-complete skillflux explain color" [] {
    [ "auto" "always" "never" ]
  }

  # Say why each skill was or was not chosen for a task
  export extern "skillflux explain" [
    --format: string@"nu-complete skillflux explain format" # The catalog's form, whose cost is counted [default: what `catalog` would print: xml, or json with --json]
    --max: string             # The most skills in it [default: maxActiveSkills of the configuration]
    --budget-tokens: string   # The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]
    --all                     # Name every skill, also those far below the threshold or without a shared word
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux explain color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    task: string              # The task, as the person put it; `-` reads it from standard input
  ]

  def "nu-complete skillflux search source" [] {
    [ "local" "skills.sh" "github" ]
  }

  def "nu-complete skillflux search color" [] {
    [ "auto" "always" "never" ]
  }

  # Search this machine, skills.sh and GitHub for skills
  export extern "skillflux search" [
    --limit: string           # The most remote results [default: remoteSearchLimit of the configuration]
    --source: string@"nu-complete skillflux search source" # Ask only this source (may be repeated)
    --all                     # List every result of an owner instead of at most three first
    --refresh                 # Ask the sources again although a stored result is fresh
    --dry-run                 # Print the requests that would be sent, and send nothing
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux search color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    ...query: string          # Words to look for, or a skill's name
  ]

  def "nu-complete skillflux mount transport" [] {
    [ "auto" "api" "git" ]
  }

  def "nu-complete skillflux mount color" [] {
    [ "auto" "always" "never" ]
  }

  # Fetch skills of one commit, verify every byte, and make a folder of each for an agent
  export extern "skillflux mount" [
    --to: directory           # Build the view in DIR/NAME instead of the session's folder
    --ttl: string             # How long the store keeps it for the session, for instance 90m, 12h or 2d
    --hold                    # Wait after mounting, and let the store keep it until standard input ends or a signal comes
    --allow: string           # Mount without the files that are refused with this code, for instance `tree_symlink` (may be repeated)
    --allow-unreachable       # Mount a commit that no branch of the repository leads to
    --transport: string@"nu-complete skillflux mount transport" # How files are fetched [default: fetchTransport of the configuration]
    --yes(-y)                 # Approve without being asked
    --session: string         # What the mount belongs to [default: this terminal]
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux mount color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    ...skill: string          # What to mount: the id of a search result, owner/repo//path[@ref], owner/repo@name, a GitHub URL, sha256:PREFIX, or a name
  ]

  def "nu-complete skillflux unmount color" [] {
    [ "auto" "always" "never" ]
  }

  # Remove the folders that `mount` made and release what they held
  export extern "skillflux unmount" [
    --session: string         # What the mounts belong to [default: this terminal]
    --force                   # Remove files too that were changed or added since
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux unmount color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    ...skill: string          # Names of mounted skills [default: all of the session]
  ]

  def "nu-complete skillflux exec color" [] {
    [ "auto" "always" "never" ]
  }

  # Run a command while the store keeps the skills that it needs
  export extern "skillflux exec" [
    --mount: string           # Mount this skill first, as `skillflux mount` does (may be repeated)
    --yes(-y)                 # Approve without being asked
    --session: string         # What the mount belongs to [default: this terminal]
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux exec color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux usage color" [] {
    [ "auto" "always" "never" ]
  }

  # Show how often skills were used, or forget it; alone, show
  export extern "skillflux usage" [
    --all                     # List every skill instead of the 20 that were used most
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux usage color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux usage clear color" [] {
    [ "auto" "always" "never" ]
  }

  # Forget the uses of one skill or of all
  export extern "skillflux usage clear" [
    --all                     # Forget the uses of all skills
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux usage clear color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    skill?: string            # A name or a place that `skillflux usage` printed
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux usage help" [
  ]

  # Forget the uses of one skill or of all
  export extern "skillflux usage help clear" [
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux usage help help" [
  ]

  def "nu-complete skillflux cache color" [] {
    [ "auto" "always" "never" ]
  }

  # List, verify, prune and clean the store of fetched skills; alone, list it
  export extern "skillflux cache" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux cache color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux cache list color" [] {
    [ "auto" "always" "never" ]
  }

  # List the stored skills with their pins
  export extern "skillflux cache list" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux cache list color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux cache dir color" [] {
    [ "auto" "always" "never" ]
  }

  # Print the folder of the cache
  export extern "skillflux cache dir" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux cache dir color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux cache verify color" [] {
    [ "auto" "always" "never" ]
  }

  # Read every stored file again and compare it with its digest; changes nothing without --repair
  export extern "skillflux cache verify" [
    --repair                  # Fetch damaged and missing skills again from their pins
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux cache verify color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux cache prune color" [] {
    [ "auto" "always" "never" ]
  }

  # Remove skills that were not used for long, then the least used ones over the limits
  export extern "skillflux cache prune" [
    --dry-run                 # Print what would be removed and why, and remove nothing
    --wait: string            # How many seconds to wait for other processes
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux cache prune color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux cache clean color" [] {
    [ "auto" "always" "never" ]
  }

  # Remove stored skills
  export extern "skillflux cache clean" [
    --all                     # Remove all, also what cannot be read
    --wait: string            # How many seconds to wait for other processes
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux cache clean color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    id?: string               # The id or the digest of a stored skill, or a beginning of it
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux cache help" [
  ]

  # List the stored skills with their pins
  export extern "skillflux cache help list" [
  ]

  # Print the folder of the cache
  export extern "skillflux cache help dir" [
  ]

  # Read every stored file again and compare it with its digest; changes nothing without --repair
  export extern "skillflux cache help verify" [
  ]

  # Remove skills that were not used for long, then the least used ones over the limits
  export extern "skillflux cache help prune" [
  ]

  # Remove stored skills
  export extern "skillflux cache help clean" [
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux cache help help" [
  ]

  def "nu-complete skillflux discovery-cache color" [] {
    [ "auto" "always" "never" ]
  }

  # Show or remove stored search results; alone, show
  export extern "skillflux discovery-cache" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux discovery-cache color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux discovery-cache status color" [] {
    [ "auto" "always" "never" ]
  }

  # Say how many search results are stored and how each source fares
  export extern "skillflux discovery-cache status" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux discovery-cache status color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux discovery-cache clean color" [] {
    [ "auto" "always" "never" ]
  }

  # Remove the stored search results, answers and cooldowns
  export extern "skillflux discovery-cache clean" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux discovery-cache clean color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux discovery-cache help" [
  ]

  # Say how many search results are stored and how each source fares
  export extern "skillflux discovery-cache help status" [
  ]

  # Remove the stored search results, answers and cooldowns
  export extern "skillflux discovery-cache help clean" [
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux discovery-cache help help" [
  ]

  def "nu-complete skillflux model color" [] {
    [ "auto" "always" "never" ]
  }

  # Add, list and remove local models that compare skills by meaning; alone, list
  export extern "skillflux model" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux model color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux model add color" [] {
    [ "auto" "always" "never" ]
  }

  # Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them
  export extern "skillflux model add" [
    --name: string            # What to call it [default: the folder's name]
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux model add color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    path: directory           # The folder
  ]

  def "nu-complete skillflux model list color" [] {
    [ "auto" "always" "never" ]
  }

  # List the models that were added
  export extern "skillflux model list" [
    --verify                  # Hash every file of each; exit with 4 when one was changed
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux model list color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux model remove color" [] {
    [ "auto" "always" "never" ]
  }

  # Remove a model
  export extern "skillflux model remove" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux model remove color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    name: string              # Its name
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux model help" [
  ]

  # Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them
  export extern "skillflux model help add" [
  ]

  # List the models that were added
  export extern "skillflux model help list" [
  ]

  # Remove a model
  export extern "skillflux model help remove" [
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux model help help" [
  ]

  def "nu-complete skillflux index color" [] {
    [ "auto" "always" "never" ]
  }

  # Show or rebuild the search index of `routerMode: fulltext`; alone, show
  export extern "skillflux index" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux index color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux index status color" [] {
    [ "auto" "always" "never" ]
  }

  # Say what the index holds and whether it is up to date for this folder
  export extern "skillflux index status" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux index status color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux index rebuild color" [] {
    [ "auto" "always" "never" ]
  }

  # Remove the index and read every skill anew
  export extern "skillflux index rebuild" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux index rebuild color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux index help" [
  ]

  # Say what the index holds and whether it is up to date for this folder
  export extern "skillflux index help status" [
  ]

  # Remove the index and read every skill anew
  export extern "skillflux index help rebuild" [
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux index help help" [
  ]

  def "nu-complete skillflux status color" [] {
    [ "auto" "always" "never" ]
  }

  # Show where skills are read from, how the store and the sources fare, and which settings are in force
  export extern "skillflux status" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux status color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux config color" [] {
    [ "auto" "always" "never" ]
  }

  # Read and change the configuration; alone, list it
  export extern "skillflux config" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux config color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux config list color" [] {
    [ "auto" "always" "never" ]
  }

  # List every key with its value and where the value comes from
  export extern "skillflux config list" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux config list color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux config get color" [] {
    [ "auto" "always" "never" ]
  }

  # Print one value
  export extern "skillflux config get" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux config get color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    key: string               # The key
  ]

  def "nu-complete skillflux config set color" [] {
    [ "auto" "always" "never" ]
  }

  # Set a key in the person's configuration file
  export extern "skillflux config set" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux config set color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    key: string               # The key
    value: string             # The value, as it would stand in the file
  ]

  def "nu-complete skillflux config unset color" [] {
    [ "auto" "always" "never" ]
  }

  # Take a key out of the person's configuration file
  export extern "skillflux config unset" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux config unset color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    key: string               # The key
  ]

  def "nu-complete skillflux config path color" [] {
    [ "auto" "always" "never" ]
  }

  # Print the path of the configuration file
  export extern "skillflux config path" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux config path color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux config schema color" [] {
    [ "auto" "always" "never" ]
  }

  # Print the JSON Schema of the configuration file
  export extern "skillflux config schema" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux config schema color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux config help" [
  ]

  # List every key with its value and where the value comes from
  export extern "skillflux config help list" [
  ]

  # Print one value
  export extern "skillflux config help get" [
  ]

  # Set a key in the person's configuration file
  export extern "skillflux config help set" [
  ]

  # Take a key out of the person's configuration file
  export extern "skillflux config help unset" [
  ]

  # Print the path of the configuration file
  export extern "skillflux config help path" [
  ]

  # Print the JSON Schema of the configuration file
  export extern "skillflux config help schema" [
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux config help help" [
  ]

  def "nu-complete skillflux eval suites" [] {
    [ "routing" "catalog-budget" "remote-quality" "remote-governance" "remote-cache" "remote-fallback" "cache-governance" "semantic-routing" "retrieval" ]
  }

  def "nu-complete skillflux eval frame" [] {
    [ "xml" "json" "markdown" "lines" "cloudflare" "upstream" ]
  }

  def "nu-complete skillflux eval format" [] {
    [ "text" "json" "markdown" ]
  }

  def "nu-complete skillflux eval color" [] {
    [ "auto" "always" "never" ]
  }

  # Run the evaluation corpora and print how well skills are chosen
  export extern "skillflux eval" [
    --corpus: path            # Read the corpora from this folder instead of those that come with skillflux
    --frame: string@"nu-complete skillflux eval frame" # The fixed text that the catalog-budget suite prices
    --format: string@"nu-complete skillflux eval format" # The form of the report
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux eval color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    ...suites: string@"nu-complete skillflux eval suites" # Suites to run [default: all]
  ]

  def "nu-complete skillflux eval retrieval mode" [] {
    [ "fulltext" "bm25f" "lexical" ]
  }

  def "nu-complete skillflux eval retrieval without" [] {
    [ "stop-words" "stems" "translations" "rescorer" "body" "headings" "prose" "code" "refusals" "copies" ]
  }

  def "nu-complete skillflux eval retrieval format" [] {
    [ "text" "json" "markdown" "svg" ]
  }

  def "nu-complete skillflux eval retrieval color" [] {
    [ "auto" "always" "never" ]
  }

  # Measure how well prompts with known answers find their skills
  export extern "skillflux eval retrieval" [
    --skills: path            # The skills [default: the project's own corpus, with its prompts]
    --queries: path           # Prompts with their right skills
    --searches: path          # Searches of a few words with their right skills
    --negatives: path         # Prompts with skills that are wrong for them
    --attacks: path           # Prompts, each with a skill that was made to win it
    --mode: string@"nu-complete skillflux eval retrieval mode" # The way to order
    --without: string@"nu-complete skillflux eval retrieval without" # Parts to do without, to see what each is worth
    --pool: string            # Search pools of this many skills, drawn by chance, that hold what their prompts name
    --seed: string            # What the draw begins from
    --blend: string           # The share of likeness of meaning in the order, 0 to 0.5, as `semanticBlend` has it
    --model: string           # The local model that compares [default: the only one]
    --weights: path           # A table of weights in place of this release's, as `eval train` writes it
    --compare: path           # A run that was recorded with --json, to be compared with by a paired test
    --format: string@"nu-complete skillflux eval retrieval format" # The form of the report
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux eval retrieval color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux eval train format" [] {
    [ "text" "json" "markdown" "svg" ]
  }

  def "nu-complete skillflux eval train color" [] {
    [ "auto" "always" "never" ]
  }

  # Make the table of weights that orders the best candidates
  export extern "skillflux eval train" [
    --skills: path            # The skills [default: the project's own corpus, with its prompts]
    --queries: path           # Prompts with their right skills
    --searches: path          # Searches of a few words with their right skills
    --negatives: path         # Prompts with skills that are wrong for them
    --attacks: path           # Prompts, each with a skill that was made to win it
    --own                     # Learn from the project's own corpus too
    --out: path               # Where to write the table
    --common: path            # Where to write how many of 1,000 skills have each common word
    --folds: string           # Measure instead, in this many parts
    --blend: string           # The share of likeness of meaning in the order, 0 to 0.5, as `semanticBlend` has it
    --model: string           # The local model that compares [default: the only one]
    --format: string@"nu-complete skillflux eval train format" # The form of what is measured
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux eval train color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete skillflux eval triggers color" [] {
    [ "auto" "always" "never" ]
  }

  # Try a skill with the prompts that its author wrote beside it
  export extern "skillflux eval triggers" [
    --file: path              # A trigger file in place of those of the skill; may be given more than once
    --pool: path              # A folder of skills, or a file as `eval retrieval --skills` takes it; may be given more than once [default: the skills that `catalog` chooses from]
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux eval triggers color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    skill: directory          # The folder of the skill
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux eval help" [
  ]

  # Measure how well prompts with known answers find their skills
  export extern "skillflux eval help retrieval" [
  ]

  # Make the table of weights that orders the best candidates
  export extern "skillflux eval help train" [
  ]

  # Try a skill with the prompts that its author wrote beside it
  export extern "skillflux eval help triggers" [
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux eval help help" [
  ]

  def "nu-complete skillflux completions shell" [] {
    [ "bash" "zsh" "fish" "powershell" "elvish" "nushell" ]
  }

  def "nu-complete skillflux completions color" [] {
    [ "auto" "always" "never" ]
  }

  # Print a completion script for a shell
  export extern "skillflux completions" [
    --dynamic                 # Print the lines that make the shell ask skillflux itself
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux completions color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    shell: string@"nu-complete skillflux completions shell" # The shell
  ]

  def "nu-complete skillflux man color" [] {
    [ "auto" "always" "never" ]
  }

  # Print the manual page of skillflux or of one command
  export extern "skillflux man" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux man color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --offline                 # Send nothing; use what is stored
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    ...command: string        # The command, for instance `catalog` or `config set` [default: skillflux itself]
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux help" [
  ]

  # Print the catalog of the few skills that fit a task
  export extern "skillflux help catalog" [
  ]

  # List every skill on this machine, with problems and shadowing
  export extern "skillflux help list" [
  ]

  # Show one skill: header, files, digest, and what a strict reader would object to
  export extern "skillflux help show" [
  ]

  # Print a skill's instructions and the list of its resources
  export extern "skillflux help load" [
  ]

  # Print one file of a skill
  export extern "skillflux help read" [
  ]

  # Say why each skill was or was not chosen for a task
  export extern "skillflux help explain" [
  ]

  # Search this machine, skills.sh and GitHub for skills
  export extern "skillflux help search" [
  ]

  # Fetch skills of one commit, verify every byte, and make a folder of each for an agent
  export extern "skillflux help mount" [
  ]

  # Remove the folders that `mount` made and release what they held
  export extern "skillflux help unmount" [
  ]

  # Run a command while the store keeps the skills that it needs
  export extern "skillflux help exec" [
  ]

  # Show how often skills were used, or forget it; alone, show
  export extern "skillflux help usage" [
  ]

  # Forget the uses of one skill or of all
  export extern "skillflux help usage clear" [
  ]

  # List, verify, prune and clean the store of fetched skills; alone, list it
  export extern "skillflux help cache" [
  ]

  # List the stored skills with their pins
  export extern "skillflux help cache list" [
  ]

  # Print the folder of the cache
  export extern "skillflux help cache dir" [
  ]

  # Read every stored file again and compare it with its digest; changes nothing without --repair
  export extern "skillflux help cache verify" [
  ]

  # Remove skills that were not used for long, then the least used ones over the limits
  export extern "skillflux help cache prune" [
  ]

  # Remove stored skills
  export extern "skillflux help cache clean" [
  ]

  # Show or remove stored search results; alone, show
  export extern "skillflux help discovery-cache" [
  ]

  # Say how many search results are stored and how each source fares
  export extern "skillflux help discovery-cache status" [
  ]

  # Remove the stored search results, answers and cooldowns
  export extern "skillflux help discovery-cache clean" [
  ]

  # Add, list and remove local models that compare skills by meaning; alone, list
  export extern "skillflux help model" [
  ]

  # Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them
  export extern "skillflux help model add" [
  ]

  # List the models that were added
  export extern "skillflux help model list" [
  ]

  # Remove a model
  export extern "skillflux help model remove" [
  ]

  # Show or rebuild the search index of `routerMode: fulltext`; alone, show
  export extern "skillflux help index" [
  ]

  # Say what the index holds and whether it is up to date for this folder
  export extern "skillflux help index status" [
  ]

  # Remove the index and read every skill anew
  export extern "skillflux help index rebuild" [
  ]

  # Show where skills are read from, how the store and the sources fare, and which settings are in force
  export extern "skillflux help status" [
  ]

  # Read and change the configuration; alone, list it
  export extern "skillflux help config" [
  ]

  # List every key with its value and where the value comes from
  export extern "skillflux help config list" [
  ]

  # Print one value
  export extern "skillflux help config get" [
  ]

  # Set a key in the person's configuration file
  export extern "skillflux help config set" [
  ]

  # Take a key out of the person's configuration file
  export extern "skillflux help config unset" [
  ]

  # Print the path of the configuration file
  export extern "skillflux help config path" [
  ]

  # Print the JSON Schema of the configuration file
  export extern "skillflux help config schema" [
  ]

  # Run the evaluation corpora and print how well skills are chosen
  export extern "skillflux help eval" [
  ]

  # Measure how well prompts with known answers find their skills
  export extern "skillflux help eval retrieval" [
  ]

  # Make the table of weights that orders the best candidates
  export extern "skillflux help eval train" [
  ]

  # Try a skill with the prompts that its author wrote beside it
  export extern "skillflux help eval triggers" [
  ]

  # Print a completion script for a shell
  export extern "skillflux help completions" [
  ]

  # Print the manual page of skillflux or of one command
  export extern "skillflux help man" [
  ]

  # Print this message or the help of the given subcommand(s)
  export extern "skillflux help help" [
  ]

}

export use completions *
