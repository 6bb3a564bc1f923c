# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_skillflux_global_optspecs
    string join \n json config= color= q/quiet v/verbose offline log-file= h/help V/version
end

function __fish_skillflux_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_skillflux_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_skillflux_using_subcommand
    set -l cmd (__fish_skillflux_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c skillflux -n "__fish_skillflux_needs_command" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_needs_command" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_needs_command" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_needs_command" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_needs_command" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_needs_command" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_needs_command" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_needs_command" -s V -l version -d 'Print version'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "catalog" -d 'Print the catalog of the few skills that fit a task'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "list" -d 'List every skill on this machine, with problems and shadowing'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "show" -d 'Show one skill: header, files, digest, and what a strict reader would object to'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "load" -d 'Print a skill\'s instructions and the list of its resources'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "read" -d 'Print one file of a skill'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "explain" -d 'Say why each skill was or was not chosen for a task'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "search" -d 'Search this machine, skills.sh and GitHub for skills'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "mount" -d 'Fetch skills of one commit, verify every byte, and make a folder of each for an agent'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "unmount" -d 'Remove the folders that `mount` made and release what they held'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "exec" -d 'Run a command while the store keeps the skills that it needs'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "usage" -d 'Show how often skills were used, or forget it; alone, show'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "cache" -d 'List, verify, prune and clean the store of fetched skills; alone, list it'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "discovery-cache" -d 'Show or remove stored search results; alone, show'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "model" -d 'Add, list and remove local models that compare skills by meaning; alone, list'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "index" -d 'Show or rebuild the search index of `routerMode: fulltext`; alone, show'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "status" -d 'Show where skills are read from, how the store and the sources fare, and which settings are in force'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "config" -d 'Read and change the configuration; alone, list it'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "eval" -d 'Run the evaluation corpora and print how well skills are chosen'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "man" -d 'Print the manual page of skillflux or of one command'
complete -c skillflux -n "__fish_skillflux_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l format -d 'The form of the catalog' -r -f -a "xml\t'The `available_skills` element of the Agent Skills reference library'
json\t'One JSON document'
markdown\t'A Markdown list'
lines\t'A line a skill: name, description, location'
cloudflare\t'The prompt of Cloudflare\'s skills runtime'"
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l session -d 'What the offers belong to [default: this terminal]' -r -f
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l max -d 'The most skills in it [default: maxActiveSkills of the configuration]' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l budget-tokens -d 'The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l discover -d 'Search remote sources for what the skills on this machine leave open, and add what they offer'
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand catalog" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand list" -l agent -d 'Only the folders that this agent reads (its id, for instance claude-code)' -r -f
complete -c skillflux -n "__fish_skillflux_using_subcommand list" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand list" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand list" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand list" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand list" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand list" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand list" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand show" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand show" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand show" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand show" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand show" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand show" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand show" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -l session -d 'What the mount belongs to [default: this terminal]' -r -f
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -s y -l yes -d 'Approve without being asked'
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand load" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand read" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand read" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand read" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand read" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand read" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand read" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand read" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand read" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -l format -d 'The catalog\'s form, whose cost is counted [default: what `catalog` would print: xml, or json with --json]' -r -f -a "xml\t'The `available_skills` element of the Agent Skills reference library'
json\t'One JSON document'
markdown\t'A Markdown list'
lines\t'A line a skill: name, description, location'
cloudflare\t'The prompt of Cloudflare\'s skills runtime'"
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -l max -d 'The most skills in it [default: maxActiveSkills of the configuration]' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -l budget-tokens -d 'The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -l all -d 'Name every skill, also those far below the threshold or without a shared word'
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l limit -d 'The most remote results [default: remoteSearchLimit of the configuration]' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l source -d 'Ask only this source (may be repeated)' -r -f -a "local\t'The skills on this machine'
skills.sh\t'The directory at skills.sh'
github\t'GitHub\'s code search (needs a token)'"
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l all -d 'List every result of an owner instead of at most three first'
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l refresh -d 'Ask the sources again although a stored result is fresh'
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l dry-run -d 'Print the requests that would be sent, and send nothing'
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand search" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l to -d 'Build the view in DIR/NAME instead of the session\'s folder' -r -f -a "(__fish_complete_directories)"
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l ttl -d 'How long the store keeps it for the session, for instance 90m, 12h or 2d' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l allow -d 'Mount without the files that are refused with this code, for instance `tree_symlink` (may be repeated)' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l transport -d 'How files are fetched [default: fetchTransport of the configuration]' -r -f -a "auto\t''
api\t''
git\t''"
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l session -d 'What the mount belongs to [default: this terminal]' -r -f
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l hold -d 'Wait after mounting, and let the store keep it until standard input ends or a signal comes'
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l allow-unreachable -d 'Mount a commit that no branch of the repository leads to'
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -s y -l yes -d 'Approve without being asked'
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand mount" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -l session -d 'What the mounts belong to [default: this terminal]' -r -f
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -l force -d 'Remove files too that were changed or added since'
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand unmount" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -l mount -d 'Mount this skill first, as `skillflux mount` does (may be repeated)' -r -f
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -l session -d 'What the mount belongs to [default: this terminal]' -r -f
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -s y -l yes -d 'Approve without being asked'
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand exec" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -l all -d 'List every skill instead of the 20 that were used most'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -f -a "clear" -d 'Forget the uses of one skill or of all'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and not __fish_seen_subcommand_from clear help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from clear" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from clear" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from clear" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from clear" -l all -d 'Forget the uses of all skills'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from clear" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from clear" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from clear" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from clear" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from clear" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from help" -f -a "clear" -d 'Forget the uses of one skill or of all'
complete -c skillflux -n "__fish_skillflux_using_subcommand usage; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -f -a "list" -d 'List the stored skills with their pins'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -f -a "dir" -d 'Print the folder of the cache'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -f -a "verify" -d 'Read every stored file again and compare it with its digest; changes nothing without --repair'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -f -a "prune" -d 'Remove skills that were not used for long, then the least used ones over the limits'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -f -a "clean" -d 'Remove stored skills'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and not __fish_seen_subcommand_from list dir verify prune clean help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from list" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from list" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from list" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from list" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from dir" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from dir" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from dir" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from dir" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from dir" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from dir" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from dir" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from dir" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from verify" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from verify" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from verify" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from verify" -l repair -d 'Fetch damaged and missing skills again from their pins'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from verify" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from verify" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from verify" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from verify" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -l wait -d 'How many seconds to wait for other processes' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -l dry-run -d 'Print what would be removed and why, and remove nothing'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from prune" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -l wait -d 'How many seconds to wait for other processes' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -l all -d 'Remove all, also what cannot be read'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from clean" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the stored skills with their pins'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "dir" -d 'Print the folder of the cache'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Read every stored file again and compare it with its digest; changes nothing without --repair'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "prune" -d 'Remove skills that were not used for long, then the least used ones over the limits'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "clean" -d 'Remove stored skills'
complete -c skillflux -n "__fish_skillflux_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -f -a "status" -d 'Say how many search results are stored and how each source fares'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -f -a "clean" -d 'Remove the stored search results, answers and cooldowns'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and not __fish_seen_subcommand_from status clean help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from status" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from status" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from status" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from status" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from status" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from status" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from clean" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from clean" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from clean" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from clean" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from clean" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from clean" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from clean" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from clean" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from help" -f -a "status" -d 'Say how many search results are stored and how each source fares'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from help" -f -a "clean" -d 'Remove the stored search results, answers and cooldowns'
complete -c skillflux -n "__fish_skillflux_using_subcommand discovery-cache; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -f -a "add" -d 'Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -f -a "list" -d 'List the models that were added'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -f -a "remove" -d 'Remove a model'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and not __fish_seen_subcommand_from add list remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from add" -l name -d 'What to call it [default: the folder\'s name]' -r -f
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from add" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from add" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from add" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from add" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from add" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from add" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from list" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from list" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from list" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from list" -l verify -d 'Hash every file of each; exit with 4 when one was changed'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from list" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from remove" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from remove" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from remove" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from remove" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from remove" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from help" -f -a "add" -d 'Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the models that were added'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Remove a model'
complete -c skillflux -n "__fish_skillflux_using_subcommand model; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -f -a "status" -d 'Say what the index holds and whether it is up to date for this folder'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -f -a "rebuild" -d 'Remove the index and read every skill anew'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and not __fish_seen_subcommand_from status rebuild help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from status" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from status" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from status" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from status" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from status" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from status" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from rebuild" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from rebuild" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from rebuild" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from rebuild" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from rebuild" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from rebuild" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from rebuild" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from rebuild" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from help" -f -a "status" -d 'Say what the index holds and whether it is up to date for this folder'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from help" -f -a "rebuild" -d 'Remove the index and read every skill anew'
complete -c skillflux -n "__fish_skillflux_using_subcommand index; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand status" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand status" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand status" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand status" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand status" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand status" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand status" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -f -a "list" -d 'List every key with its value and where the value comes from'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -f -a "get" -d 'Print one value'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -f -a "set" -d 'Set a key in the person\'s configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -f -a "unset" -d 'Take a key out of the person\'s configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -f -a "path" -d 'Print the path of the configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -f -a "schema" -d 'Print the JSON Schema of the configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and not __fish_seen_subcommand_from list get set unset path schema help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from list" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from list" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from list" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from list" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from get" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from get" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from get" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from get" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from get" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from get" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from get" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from set" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from set" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from set" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from set" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from set" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from set" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from set" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from unset" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from unset" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from unset" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from unset" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from unset" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from unset" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from unset" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from unset" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from path" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from path" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from path" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from path" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from path" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from path" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from path" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from path" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from schema" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from schema" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from schema" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from schema" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from schema" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from schema" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from schema" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "list" -d 'List every key with its value and where the value comes from'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "get" -d 'Print one value'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "set" -d 'Set a key in the person\'s configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "unset" -d 'Take a key out of the person\'s configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "path" -d 'Print the path of the configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "schema" -d 'Print the JSON Schema of the configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -l corpus -d 'Read the corpora from this folder instead of those that come with skillflux' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -l frame -d 'The fixed text that the catalog-budget suite prices' -r -f -a "xml\t'The catalog as skillflux prints it, as xml'
json\t'As json'
markdown\t'As markdown'
lines\t'As lines'
cloudflare\t'As cloudflare'
upstream\t'The 366 bytes of the original plugin\'s message'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -l format -d 'The form of the report' -r -f -a "text\t'Aligned text'
json\t'One JSON document'
markdown\t'A Markdown table'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -a "retrieval" -d 'Measure how well prompts with known answers find their skills'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -a "train" -d 'Make the table of weights that orders the best candidates'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -a "triggers" -d 'Try a skill with the prompts that its author wrote beside it'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and not __fish_seen_subcommand_from retrieval train triggers help" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l skills -d 'The skills [default: the project\'s own corpus, with its prompts]' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l queries -d 'Prompts with their right skills' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l searches -d 'Searches of a few words with their right skills' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l negatives -d 'Prompts with skills that are wrong for them' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l attacks -d 'Prompts, each with a skill that was made to win it' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l mode -d 'The way to order' -r -f -a "fulltext\t'BM25F, then the order of the best by their features'
bm25f\t'BM25F alone'
lexical\t'The lexical contract'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l without -d 'Parts to do without, to see what each is worth' -r -f -a "stop-words\t'The list of words that say nothing'
stems\t'One term for all forms of a word'
translations\t'English words for Chinese ones'
rescorer\t'The order of the best by their features'
body\t'The bodies of skills'
headings\t'The headings of bodies'
prose\t'The prose of bodies'
code\t'The code of bodies'
refusals\t'What skills say that they are not for'
copies\t'One place for all copies of a skill'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l pool -d 'Search pools of this many skills, drawn by chance, that hold what their prompts name' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l seed -d 'What the draw begins from' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l blend -d 'The share of likeness of meaning in the order, 0 to 0.5, as `semanticBlend` has it' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l model -d 'The local model that compares [default: the only one]' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l weights -d 'A table of weights in place of this release\'s, as `eval train` writes it' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l compare -d 'A run that was recorded with --json, to be compared with by a paired test' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l format -d 'The form of the report' -r -f -a "text\t'Aligned text'
json\t'One JSON document'
markdown\t'A Markdown table'
svg\t'A plot: the measures, and what each threshold costs and saves'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from retrieval" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l skills -d 'The skills [default: the project\'s own corpus, with its prompts]' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l queries -d 'Prompts with their right skills' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l searches -d 'Searches of a few words with their right skills' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l negatives -d 'Prompts with skills that are wrong for them' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l attacks -d 'Prompts, each with a skill that was made to win it' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l out -d 'Where to write the table' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l common -d 'Where to write how many of 1,000 skills have each common word' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l folds -d 'Measure instead, in this many parts' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l blend -d 'The share of likeness of meaning in the order, 0 to 0.5, as `semanticBlend` has it' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l model -d 'The local model that compares [default: the only one]' -r
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l format -d 'The form of what is measured' -r -f -a "text\t'Aligned text'
json\t'One JSON document'
markdown\t'A Markdown table'
svg\t'A plot: the measures, and what each threshold costs and saves'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l own -d 'Learn from the project\'s own corpus too'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from train" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -l file -d 'A trigger file in place of those of the skill; may be given more than once' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -l pool -d 'A folder of skills, or a file as `eval retrieval --skills` takes it; may be given more than once [default: the skills that `catalog` chooses from]' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from triggers" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from help" -f -a "retrieval" -d 'Measure how well prompts with known answers find their skills'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from help" -f -a "train" -d 'Make the table of weights that orders the best candidates'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from help" -f -a "triggers" -d 'Try a skill with the prompts that its author wrote beside it'
complete -c skillflux -n "__fish_skillflux_using_subcommand eval; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand completions" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand completions" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand completions" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand completions" -l dynamic -d 'Print the lines that make the shell ask skillflux itself'
complete -c skillflux -n "__fish_skillflux_using_subcommand completions" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand completions" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand completions" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand completions" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand man" -l config -d 'Read this configuration file instead of the person\'s own' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand man" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c skillflux -n "__fish_skillflux_using_subcommand man" -l log-file -d 'Append the log to this file' -r -F
complete -c skillflux -n "__fish_skillflux_using_subcommand man" -l json -d 'Print one JSON document instead of text'
complete -c skillflux -n "__fish_skillflux_using_subcommand man" -s q -l quiet -d 'Print no warnings'
complete -c skillflux -n "__fish_skillflux_using_subcommand man" -s v -l verbose -d 'Say what is being done on standard error'
complete -c skillflux -n "__fish_skillflux_using_subcommand man" -l offline -d 'Send nothing; use what is stored'
complete -c skillflux -n "__fish_skillflux_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "catalog" -d 'Print the catalog of the few skills that fit a task'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "list" -d 'List every skill on this machine, with problems and shadowing'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "show" -d 'Show one skill: header, files, digest, and what a strict reader would object to'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "load" -d 'Print a skill\'s instructions and the list of its resources'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "read" -d 'Print one file of a skill'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "explain" -d 'Say why each skill was or was not chosen for a task'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "search" -d 'Search this machine, skills.sh and GitHub for skills'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "mount" -d 'Fetch skills of one commit, verify every byte, and make a folder of each for an agent'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "unmount" -d 'Remove the folders that `mount` made and release what they held'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "exec" -d 'Run a command while the store keeps the skills that it needs'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "usage" -d 'Show how often skills were used, or forget it; alone, show'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "cache" -d 'List, verify, prune and clean the store of fetched skills; alone, list it'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "discovery-cache" -d 'Show or remove stored search results; alone, show'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "model" -d 'Add, list and remove local models that compare skills by meaning; alone, list'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "index" -d 'Show or rebuild the search index of `routerMode: fulltext`; alone, show'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "status" -d 'Show where skills are read from, how the store and the sources fare, and which settings are in force'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "config" -d 'Read and change the configuration; alone, list it'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "eval" -d 'Run the evaluation corpora and print how well skills are chosen'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "man" -d 'Print the manual page of skillflux or of one command'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and not __fish_seen_subcommand_from catalog list show load read explain search mount unmount exec usage cache discovery-cache model index status config eval completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from usage" -f -a "clear" -d 'Forget the uses of one skill or of all'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from cache" -f -a "list" -d 'List the stored skills with their pins'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from cache" -f -a "dir" -d 'Print the folder of the cache'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from cache" -f -a "verify" -d 'Read every stored file again and compare it with its digest; changes nothing without --repair'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from cache" -f -a "prune" -d 'Remove skills that were not used for long, then the least used ones over the limits'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from cache" -f -a "clean" -d 'Remove stored skills'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from discovery-cache" -f -a "status" -d 'Say how many search results are stored and how each source fares'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from discovery-cache" -f -a "clean" -d 'Remove the stored search results, answers and cooldowns'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from model" -f -a "add" -d 'Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from model" -f -a "list" -d 'List the models that were added'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from model" -f -a "remove" -d 'Remove a model'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from index" -f -a "status" -d 'Say what the index holds and whether it is up to date for this folder'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from index" -f -a "rebuild" -d 'Remove the index and read every skill anew'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "list" -d 'List every key with its value and where the value comes from'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "get" -d 'Print one value'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "set" -d 'Set a key in the person\'s configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "unset" -d 'Take a key out of the person\'s configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "path" -d 'Print the path of the configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "schema" -d 'Print the JSON Schema of the configuration file'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from eval" -f -a "retrieval" -d 'Measure how well prompts with known answers find their skills'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from eval" -f -a "train" -d 'Make the table of weights that orders the best candidates'
complete -c skillflux -n "__fish_skillflux_using_subcommand help; and __fish_seen_subcommand_from eval" -f -a "triggers" -d 'Try a skill with the prompts that its author wrote beside it'
