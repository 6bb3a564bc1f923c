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
    --max: string             # The most skills in it [default: maxActiveSkills of the configuration]
    --budget-tokens: string   # The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux catalog color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
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
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    skill: string             # A name, a folder, or a location that a catalog printed
  ]

  def "nu-complete skillflux load color" [] {
    [ "auto" "always" "never" ]
  }

  # Print a skill's instructions and the list of its resources
  export extern "skillflux load" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux load color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    skill: string             # A name, a folder, or a location that a catalog printed
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
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    task: string              # The task, as the person put it; `-` reads it from standard input
  ]

  def "nu-complete skillflux status color" [] {
    [ "auto" "always" "never" ]
  }

  # Show where skills are read from and which settings are in force
  export extern "skillflux status" [
    --json                    # Print one JSON document instead of text
    --config: path            # Read this configuration file instead of the person's own
    --color: string@"nu-complete skillflux status color" # When to use colours
    --quiet(-q)               # Print no warnings
    --verbose(-v)             # Say what is being done on standard error
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
    [ "routing" "catalog-budget" "remote-quality" "remote-governance" "remote-cache" "cache-governance" ]
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
    --log-file: path          # Append the log to this file
    --help(-h)                # Print help (see more with '--help')
    ...suites: string@"nu-complete skillflux eval suites" # Suites to run [default: all]
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

  # Show where skills are read from and which settings are in force
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
