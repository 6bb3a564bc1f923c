
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'skillflux' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'skillflux'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'skillflux' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('catalog', 'catalog', [CompletionResultType]::ParameterValue, 'Print the catalog of the few skills that fit a task')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List every skill on this machine, with problems and shadowing')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one skill: header, files, digest, and what a strict reader would object to')
            [CompletionResult]::new('load', 'load', [CompletionResultType]::ParameterValue, 'Print a skill''s instructions and the list of its resources')
            [CompletionResult]::new('read', 'read', [CompletionResultType]::ParameterValue, 'Print one file of a skill')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say why each skill was or was not chosen for a task')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Search this machine, skills.sh and GitHub for skills')
            [CompletionResult]::new('mount', 'mount', [CompletionResultType]::ParameterValue, 'Fetch skills of one commit, verify every byte, and make a folder of each for an agent')
            [CompletionResult]::new('unmount', 'unmount', [CompletionResultType]::ParameterValue, 'Remove the folders that `mount` made and release what they held')
            [CompletionResult]::new('exec', 'exec', [CompletionResultType]::ParameterValue, 'Run a command while the store keeps the skills that it needs')
            [CompletionResult]::new('usage', 'usage', [CompletionResultType]::ParameterValue, 'Show how often skills were used, or forget it; alone, show')
            [CompletionResult]::new('cache', 'cache', [CompletionResultType]::ParameterValue, 'List, verify, prune and clean the store of fetched skills; alone, list it')
            [CompletionResult]::new('discovery-cache', 'discovery-cache', [CompletionResultType]::ParameterValue, 'Show or remove stored search results; alone, show')
            [CompletionResult]::new('model', 'model', [CompletionResultType]::ParameterValue, 'Add, list and remove local models that compare skills by meaning; alone, list')
            [CompletionResult]::new('index', 'index', [CompletionResultType]::ParameterValue, 'Show or rebuild the search index of `routerMode: fulltext`; alone, show')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show where skills are read from, how the store and the sources fare, and which settings are in force')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Read and change the configuration; alone, list it')
            [CompletionResult]::new('eval', 'eval', [CompletionResultType]::ParameterValue, 'Run the evaluation corpora and print how well skills are chosen')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page of skillflux or of one command')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;catalog' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the catalog')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'What the offers belong to [default: this terminal]')
            [CompletionResult]::new('--max', '--max', [CompletionResultType]::ParameterName, 'The most skills in it [default: maxActiveSkills of the configuration]')
            [CompletionResult]::new('--budget-tokens', '--budget-tokens', [CompletionResultType]::ParameterName, 'The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--discover', '--discover', [CompletionResultType]::ParameterName, 'Search remote sources for what the skills on this machine leave open, and add what they offer')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;list' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only the folders that this agent reads (its id, for instance claude-code)')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;show' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;load' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'What the mount belongs to [default: this terminal]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Approve without being asked')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Approve without being asked')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;read' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;explain' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The catalog''s form, whose cost is counted [default: what `catalog` would print: xml, or json with --json]')
            [CompletionResult]::new('--max', '--max', [CompletionResultType]::ParameterName, 'The most skills in it [default: maxActiveSkills of the configuration]')
            [CompletionResult]::new('--budget-tokens', '--budget-tokens', [CompletionResultType]::ParameterName, 'The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Name every skill, also those far below the threshold or without a shared word')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;search' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'The most remote results [default: remoteSearchLimit of the configuration]')
            [CompletionResult]::new('--source', '--source', [CompletionResultType]::ParameterName, 'Ask only this source (may be repeated)')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'List every result of an owner instead of at most three first')
            [CompletionResult]::new('--refresh', '--refresh', [CompletionResultType]::ParameterName, 'Ask the sources again although a stored result is fresh')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print the requests that would be sent, and send nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;mount' {
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Build the view in DIR/NAME instead of the session''s folder')
            [CompletionResult]::new('--ttl', '--ttl', [CompletionResultType]::ParameterName, 'How long the store keeps it for the session, for instance 90m, 12h or 2d')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Mount without the files that are refused with this code, for instance `tree_symlink` (may be repeated)')
            [CompletionResult]::new('--transport', '--transport', [CompletionResultType]::ParameterName, 'How files are fetched [default: fetchTransport of the configuration]')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'What the mount belongs to [default: this terminal]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--hold', '--hold', [CompletionResultType]::ParameterName, 'Wait after mounting, and let the store keep it until standard input ends or a signal comes')
            [CompletionResult]::new('--allow-unreachable', '--allow-unreachable', [CompletionResultType]::ParameterName, 'Mount a commit that no branch of the repository leads to')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Approve without being asked')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Approve without being asked')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;unmount' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'What the mounts belong to [default: this terminal]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Remove files too that were changed or added since')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;exec' {
            [CompletionResult]::new('--mount', '--mount', [CompletionResultType]::ParameterName, 'Mount this skill first, as `skillflux mount` does (may be repeated)')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'What the mount belongs to [default: this terminal]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Approve without being asked')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Approve without being asked')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;usage' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'List every skill instead of the 20 that were used most')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('clear', 'clear', [CompletionResultType]::ParameterValue, 'Forget the uses of one skill or of all')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;usage;clear' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Forget the uses of all skills')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;usage;help' {
            [CompletionResult]::new('clear', 'clear', [CompletionResultType]::ParameterValue, 'Forget the uses of one skill or of all')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;usage;help;clear' {
            break
        }
        'skillflux;usage;help;help' {
            break
        }
        'skillflux;cache' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the stored skills with their pins')
            [CompletionResult]::new('dir', 'dir', [CompletionResultType]::ParameterValue, 'Print the folder of the cache')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Read every stored file again and compare it with its digest; changes nothing without --repair')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Remove skills that were not used for long, then the least used ones over the limits')
            [CompletionResult]::new('clean', 'clean', [CompletionResultType]::ParameterValue, 'Remove stored skills')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;cache;list' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;cache;dir' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;cache;verify' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--repair', '--repair', [CompletionResultType]::ParameterName, 'Fetch damaged and missing skills again from their pins')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;cache;prune' {
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'How many seconds to wait for other processes')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print what would be removed and why, and remove nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;cache;clean' {
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'How many seconds to wait for other processes')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Remove all, also what cannot be read')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;cache;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the stored skills with their pins')
            [CompletionResult]::new('dir', 'dir', [CompletionResultType]::ParameterValue, 'Print the folder of the cache')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Read every stored file again and compare it with its digest; changes nothing without --repair')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Remove skills that were not used for long, then the least used ones over the limits')
            [CompletionResult]::new('clean', 'clean', [CompletionResultType]::ParameterValue, 'Remove stored skills')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;cache;help;list' {
            break
        }
        'skillflux;cache;help;dir' {
            break
        }
        'skillflux;cache;help;verify' {
            break
        }
        'skillflux;cache;help;prune' {
            break
        }
        'skillflux;cache;help;clean' {
            break
        }
        'skillflux;cache;help;help' {
            break
        }
        'skillflux;discovery-cache' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say how many search results are stored and how each source fares')
            [CompletionResult]::new('clean', 'clean', [CompletionResultType]::ParameterValue, 'Remove the stored search results, answers and cooldowns')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;discovery-cache;status' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;discovery-cache;clean' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;discovery-cache;help' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say how many search results are stored and how each source fares')
            [CompletionResult]::new('clean', 'clean', [CompletionResultType]::ParameterValue, 'Remove the stored search results, answers and cooldowns')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;discovery-cache;help;status' {
            break
        }
        'skillflux;discovery-cache;help;clean' {
            break
        }
        'skillflux;discovery-cache;help;help' {
            break
        }
        'skillflux;model' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the models that were added')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a model')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;model;add' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'What to call it [default: the folder''s name]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;model;list' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Hash every file of each; exit with 4 when one was changed')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;model;remove' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;model;help' {
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the models that were added')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a model')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;model;help;add' {
            break
        }
        'skillflux;model;help;list' {
            break
        }
        'skillflux;model;help;remove' {
            break
        }
        'skillflux;model;help;help' {
            break
        }
        'skillflux;index' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say what the index holds and whether it is up to date for this folder')
            [CompletionResult]::new('rebuild', 'rebuild', [CompletionResultType]::ParameterValue, 'Remove the index and read every skill anew')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;index;status' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;index;rebuild' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;index;help' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say what the index holds and whether it is up to date for this folder')
            [CompletionResult]::new('rebuild', 'rebuild', [CompletionResultType]::ParameterValue, 'Remove the index and read every skill anew')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;index;help;status' {
            break
        }
        'skillflux;index;help;rebuild' {
            break
        }
        'skillflux;index;help;help' {
            break
        }
        'skillflux;status' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;config' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List every key with its value and where the value comes from')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print one value')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Set a key in the person''s configuration file')
            [CompletionResult]::new('unset', 'unset', [CompletionResultType]::ParameterValue, 'Take a key out of the person''s configuration file')
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Print the path of the configuration file')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of the configuration file')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;config;list' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;config;get' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;config;set' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;config;unset' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;config;path' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;config;schema' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;config;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List every key with its value and where the value comes from')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print one value')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Set a key in the person''s configuration file')
            [CompletionResult]::new('unset', 'unset', [CompletionResultType]::ParameterValue, 'Take a key out of the person''s configuration file')
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Print the path of the configuration file')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of the configuration file')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;config;help;list' {
            break
        }
        'skillflux;config;help;get' {
            break
        }
        'skillflux;config;help;set' {
            break
        }
        'skillflux;config;help;unset' {
            break
        }
        'skillflux;config;help;path' {
            break
        }
        'skillflux;config;help;schema' {
            break
        }
        'skillflux;config;help;help' {
            break
        }
        'skillflux;eval' {
            [CompletionResult]::new('--corpus', '--corpus', [CompletionResultType]::ParameterName, 'Read the corpora from this folder instead of those that come with skillflux')
            [CompletionResult]::new('--frame', '--frame', [CompletionResultType]::ParameterName, 'The fixed text that the catalog-budget suite prices')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the report')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('retrieval', 'retrieval', [CompletionResultType]::ParameterValue, 'Measure how well prompts with known answers find their skills')
            [CompletionResult]::new('train', 'train', [CompletionResultType]::ParameterValue, 'Make the table of weights that orders the best candidates')
            [CompletionResult]::new('triggers', 'triggers', [CompletionResultType]::ParameterValue, 'Try a skill with the prompts that its author wrote beside it')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;eval;retrieval' {
            [CompletionResult]::new('--skills', '--skills', [CompletionResultType]::ParameterName, 'The skills [default: the project''s own corpus, with its prompts]')
            [CompletionResult]::new('--queries', '--queries', [CompletionResultType]::ParameterName, 'Prompts with their right skills')
            [CompletionResult]::new('--searches', '--searches', [CompletionResultType]::ParameterName, 'Searches of a few words with their right skills')
            [CompletionResult]::new('--negatives', '--negatives', [CompletionResultType]::ParameterName, 'Prompts with skills that are wrong for them')
            [CompletionResult]::new('--attacks', '--attacks', [CompletionResultType]::ParameterName, 'Prompts, each with a skill that was made to win it')
            [CompletionResult]::new('--mode', '--mode', [CompletionResultType]::ParameterName, 'The way to order')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Parts to do without, to see what each is worth')
            [CompletionResult]::new('--pool', '--pool', [CompletionResultType]::ParameterName, 'Search pools of this many skills, drawn by chance, that hold what their prompts name')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'What the draw begins from')
            [CompletionResult]::new('--blend', '--blend', [CompletionResultType]::ParameterName, 'The share of likeness of meaning in the order, 0 to 0.5, as `semanticBlend` has it')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'The local model that compares [default: the only one]')
            [CompletionResult]::new('--weights', '--weights', [CompletionResultType]::ParameterName, 'A table of weights in place of this release''s, as `eval train` writes it')
            [CompletionResult]::new('--compare', '--compare', [CompletionResultType]::ParameterName, 'A run that was recorded with --json, to be compared with by a paired test')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the report')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;eval;train' {
            [CompletionResult]::new('--skills', '--skills', [CompletionResultType]::ParameterName, 'The skills [default: the project''s own corpus, with its prompts]')
            [CompletionResult]::new('--queries', '--queries', [CompletionResultType]::ParameterName, 'Prompts with their right skills')
            [CompletionResult]::new('--searches', '--searches', [CompletionResultType]::ParameterName, 'Searches of a few words with their right skills')
            [CompletionResult]::new('--negatives', '--negatives', [CompletionResultType]::ParameterName, 'Prompts with skills that are wrong for them')
            [CompletionResult]::new('--attacks', '--attacks', [CompletionResultType]::ParameterName, 'Prompts, each with a skill that was made to win it')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Where to write the table')
            [CompletionResult]::new('--common', '--common', [CompletionResultType]::ParameterName, 'Where to write how many of 1,000 skills have each common word')
            [CompletionResult]::new('--folds', '--folds', [CompletionResultType]::ParameterName, 'Measure instead, in this many parts')
            [CompletionResult]::new('--blend', '--blend', [CompletionResultType]::ParameterName, 'The share of likeness of meaning in the order, 0 to 0.5, as `semanticBlend` has it')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'The local model that compares [default: the only one]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of what is measured')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--own', '--own', [CompletionResultType]::ParameterName, 'Learn from the project''s own corpus too')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;eval;triggers' {
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'A trigger file in place of those of the skill; may be given more than once')
            [CompletionResult]::new('--pool', '--pool', [CompletionResultType]::ParameterName, 'A folder of skills, or a file as `eval retrieval --skills` takes it; may be given more than once [default: the skills that `catalog` chooses from]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;eval;help' {
            [CompletionResult]::new('retrieval', 'retrieval', [CompletionResultType]::ParameterValue, 'Measure how well prompts with known answers find their skills')
            [CompletionResult]::new('train', 'train', [CompletionResultType]::ParameterValue, 'Make the table of weights that orders the best candidates')
            [CompletionResult]::new('triggers', 'triggers', [CompletionResultType]::ParameterValue, 'Try a skill with the prompts that its author wrote beside it')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;eval;help;retrieval' {
            break
        }
        'skillflux;eval;help;train' {
            break
        }
        'skillflux;eval;help;triggers' {
            break
        }
        'skillflux;eval;help;help' {
            break
        }
        'skillflux;completions' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--dynamic', '--dynamic', [CompletionResultType]::ParameterName, 'Print the lines that make the shell ask skillflux itself')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;man' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read this configuration file instead of the person''s own')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--log-file', '--log-file', [CompletionResultType]::ParameterName, 'Append the log to this file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no warnings')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what is being done on standard error')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Send nothing; use what is stored')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'skillflux;help' {
            [CompletionResult]::new('catalog', 'catalog', [CompletionResultType]::ParameterValue, 'Print the catalog of the few skills that fit a task')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List every skill on this machine, with problems and shadowing')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one skill: header, files, digest, and what a strict reader would object to')
            [CompletionResult]::new('load', 'load', [CompletionResultType]::ParameterValue, 'Print a skill''s instructions and the list of its resources')
            [CompletionResult]::new('read', 'read', [CompletionResultType]::ParameterValue, 'Print one file of a skill')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say why each skill was or was not chosen for a task')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Search this machine, skills.sh and GitHub for skills')
            [CompletionResult]::new('mount', 'mount', [CompletionResultType]::ParameterValue, 'Fetch skills of one commit, verify every byte, and make a folder of each for an agent')
            [CompletionResult]::new('unmount', 'unmount', [CompletionResultType]::ParameterValue, 'Remove the folders that `mount` made and release what they held')
            [CompletionResult]::new('exec', 'exec', [CompletionResultType]::ParameterValue, 'Run a command while the store keeps the skills that it needs')
            [CompletionResult]::new('usage', 'usage', [CompletionResultType]::ParameterValue, 'Show how often skills were used, or forget it; alone, show')
            [CompletionResult]::new('cache', 'cache', [CompletionResultType]::ParameterValue, 'List, verify, prune and clean the store of fetched skills; alone, list it')
            [CompletionResult]::new('discovery-cache', 'discovery-cache', [CompletionResultType]::ParameterValue, 'Show or remove stored search results; alone, show')
            [CompletionResult]::new('model', 'model', [CompletionResultType]::ParameterValue, 'Add, list and remove local models that compare skills by meaning; alone, list')
            [CompletionResult]::new('index', 'index', [CompletionResultType]::ParameterValue, 'Show or rebuild the search index of `routerMode: fulltext`; alone, show')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show where skills are read from, how the store and the sources fare, and which settings are in force')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Read and change the configuration; alone, list it')
            [CompletionResult]::new('eval', 'eval', [CompletionResultType]::ParameterValue, 'Run the evaluation corpora and print how well skills are chosen')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page of skillflux or of one command')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'skillflux;help;catalog' {
            break
        }
        'skillflux;help;list' {
            break
        }
        'skillflux;help;show' {
            break
        }
        'skillflux;help;load' {
            break
        }
        'skillflux;help;read' {
            break
        }
        'skillflux;help;explain' {
            break
        }
        'skillflux;help;search' {
            break
        }
        'skillflux;help;mount' {
            break
        }
        'skillflux;help;unmount' {
            break
        }
        'skillflux;help;exec' {
            break
        }
        'skillflux;help;usage' {
            [CompletionResult]::new('clear', 'clear', [CompletionResultType]::ParameterValue, 'Forget the uses of one skill or of all')
            break
        }
        'skillflux;help;usage;clear' {
            break
        }
        'skillflux;help;cache' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the stored skills with their pins')
            [CompletionResult]::new('dir', 'dir', [CompletionResultType]::ParameterValue, 'Print the folder of the cache')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Read every stored file again and compare it with its digest; changes nothing without --repair')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Remove skills that were not used for long, then the least used ones over the limits')
            [CompletionResult]::new('clean', 'clean', [CompletionResultType]::ParameterValue, 'Remove stored skills')
            break
        }
        'skillflux;help;cache;list' {
            break
        }
        'skillflux;help;cache;dir' {
            break
        }
        'skillflux;help;cache;verify' {
            break
        }
        'skillflux;help;cache;prune' {
            break
        }
        'skillflux;help;cache;clean' {
            break
        }
        'skillflux;help;discovery-cache' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say how many search results are stored and how each source fares')
            [CompletionResult]::new('clean', 'clean', [CompletionResultType]::ParameterValue, 'Remove the stored search results, answers and cooldowns')
            break
        }
        'skillflux;help;discovery-cache;status' {
            break
        }
        'skillflux;help;discovery-cache;clean' {
            break
        }
        'skillflux;help;model' {
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the models that were added')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a model')
            break
        }
        'skillflux;help;model;add' {
            break
        }
        'skillflux;help;model;list' {
            break
        }
        'skillflux;help;model;remove' {
            break
        }
        'skillflux;help;index' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say what the index holds and whether it is up to date for this folder')
            [CompletionResult]::new('rebuild', 'rebuild', [CompletionResultType]::ParameterValue, 'Remove the index and read every skill anew')
            break
        }
        'skillflux;help;index;status' {
            break
        }
        'skillflux;help;index;rebuild' {
            break
        }
        'skillflux;help;status' {
            break
        }
        'skillflux;help;config' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List every key with its value and where the value comes from')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print one value')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Set a key in the person''s configuration file')
            [CompletionResult]::new('unset', 'unset', [CompletionResultType]::ParameterValue, 'Take a key out of the person''s configuration file')
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Print the path of the configuration file')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of the configuration file')
            break
        }
        'skillflux;help;config;list' {
            break
        }
        'skillflux;help;config;get' {
            break
        }
        'skillflux;help;config;set' {
            break
        }
        'skillflux;help;config;unset' {
            break
        }
        'skillflux;help;config;path' {
            break
        }
        'skillflux;help;config;schema' {
            break
        }
        'skillflux;help;eval' {
            [CompletionResult]::new('retrieval', 'retrieval', [CompletionResultType]::ParameterValue, 'Measure how well prompts with known answers find their skills')
            [CompletionResult]::new('train', 'train', [CompletionResultType]::ParameterValue, 'Make the table of weights that orders the best candidates')
            [CompletionResult]::new('triggers', 'triggers', [CompletionResultType]::ParameterValue, 'Try a skill with the prompts that its author wrote beside it')
            break
        }
        'skillflux;help;eval;retrieval' {
            break
        }
        'skillflux;help;eval;train' {
            break
        }
        'skillflux;help;eval;triggers' {
            break
        }
        'skillflux;help;completions' {
            break
        }
        'skillflux;help;man' {
            break
        }
        'skillflux;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
