
use builtin;
use str;

set edit:completion:arg-completer[skillflux] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'skillflux'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'skillflux'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand catalog 'Print the catalog of the few skills that fit a task'
            cand list 'List every skill on this machine, with problems and shadowing'
            cand show 'Show one skill: header, files, digest, and what a strict reader would object to'
            cand load 'Print a skill''s instructions and the list of its resources'
            cand read 'Print one file of a skill'
            cand explain 'Say why each skill was or was not chosen for a task'
            cand search 'Search this machine, skills.sh and GitHub for skills'
            cand mount 'Fetch skills of one commit, verify every byte, and make a folder of each for an agent'
            cand unmount 'Remove the folders that `mount` made and release what they held'
            cand exec 'Run a command while the store keeps the skills that it needs'
            cand usage 'Show how often skills were used, or forget it; alone, show'
            cand cache 'List, verify, prune and clean the store of fetched skills; alone, list it'
            cand discovery-cache 'Show or remove stored search results; alone, show'
            cand model 'Add, list and remove local models that compare skills by meaning; alone, list'
            cand index 'Show or rebuild the search index of `routerMode: fulltext`; alone, show'
            cand status 'Show where skills are read from, how the store and the sources fare, and which settings are in force'
            cand config 'Read and change the configuration; alone, list it'
            cand eval 'Run the evaluation corpora and print how well skills are chosen'
            cand completions 'Print a completion script for a shell'
            cand man 'Print the manual page of skillflux or of one command'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;catalog'= {
            cand --format 'The form of the catalog'
            cand --session 'What the offers belong to [default: this terminal]'
            cand --max 'The most skills in it [default: maxActiveSkills of the configuration]'
            cand --budget-tokens 'The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --discover 'Search remote sources for what the skills on this machine leave open, and add what they offer'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;list'= {
            cand --agent 'Only the folders that this agent reads (its id, for instance claude-code)'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;show'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;load'= {
            cand --session 'What the mount belongs to [default: this terminal]'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand -y 'Approve without being asked'
            cand --yes 'Approve without being asked'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;read'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;explain'= {
            cand --format 'The catalog''s form, whose cost is counted [default: what `catalog` would print: xml, or json with --json]'
            cand --max 'The most skills in it [default: maxActiveSkills of the configuration]'
            cand --budget-tokens 'The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --all 'Name every skill, also those far below the threshold or without a shared word'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;search'= {
            cand --limit 'The most remote results [default: remoteSearchLimit of the configuration]'
            cand --source 'Ask only this source (may be repeated)'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --all 'List every result of an owner instead of at most three first'
            cand --refresh 'Ask the sources again although a stored result is fresh'
            cand --dry-run 'Print the requests that would be sent, and send nothing'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;mount'= {
            cand --to 'Build the view in DIR/NAME instead of the session''s folder'
            cand --ttl 'How long the store keeps it for the session, for instance 90m, 12h or 2d'
            cand --allow 'Mount without the files that are refused with this code, for instance `tree_symlink` (may be repeated)'
            cand --transport 'How files are fetched [default: fetchTransport of the configuration]'
            cand --session 'What the mount belongs to [default: this terminal]'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --hold 'Wait after mounting, and let the store keep it until standard input ends or a signal comes'
            cand --allow-unreachable 'Mount a commit that no branch of the repository leads to'
            cand -y 'Approve without being asked'
            cand --yes 'Approve without being asked'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;unmount'= {
            cand --session 'What the mounts belong to [default: this terminal]'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --force 'Remove files too that were changed or added since'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;exec'= {
            cand --mount 'Mount this skill first, as `skillflux mount` does (may be repeated)'
            cand --session 'What the mount belongs to [default: this terminal]'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand -y 'Approve without being asked'
            cand --yes 'Approve without being asked'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;usage'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --all 'List every skill instead of the 20 that were used most'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand clear 'Forget the uses of one skill or of all'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;usage;clear'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --all 'Forget the uses of all skills'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;usage;help'= {
            cand clear 'Forget the uses of one skill or of all'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;usage;help;clear'= {
        }
        &'skillflux;usage;help;help'= {
        }
        &'skillflux;cache'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand list 'List the stored skills with their pins'
            cand dir 'Print the folder of the cache'
            cand verify 'Read every stored file again and compare it with its digest; changes nothing without --repair'
            cand prune 'Remove skills that were not used for long, then the least used ones over the limits'
            cand clean 'Remove stored skills'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;cache;list'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;cache;dir'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;cache;verify'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --repair 'Fetch damaged and missing skills again from their pins'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;cache;prune'= {
            cand --wait 'How many seconds to wait for other processes'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --dry-run 'Print what would be removed and why, and remove nothing'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;cache;clean'= {
            cand --wait 'How many seconds to wait for other processes'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --all 'Remove all, also what cannot be read'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;cache;help'= {
            cand list 'List the stored skills with their pins'
            cand dir 'Print the folder of the cache'
            cand verify 'Read every stored file again and compare it with its digest; changes nothing without --repair'
            cand prune 'Remove skills that were not used for long, then the least used ones over the limits'
            cand clean 'Remove stored skills'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;cache;help;list'= {
        }
        &'skillflux;cache;help;dir'= {
        }
        &'skillflux;cache;help;verify'= {
        }
        &'skillflux;cache;help;prune'= {
        }
        &'skillflux;cache;help;clean'= {
        }
        &'skillflux;cache;help;help'= {
        }
        &'skillflux;discovery-cache'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand status 'Say how many search results are stored and how each source fares'
            cand clean 'Remove the stored search results, answers and cooldowns'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;discovery-cache;status'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;discovery-cache;clean'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;discovery-cache;help'= {
            cand status 'Say how many search results are stored and how each source fares'
            cand clean 'Remove the stored search results, answers and cooldowns'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;discovery-cache;help;status'= {
        }
        &'skillflux;discovery-cache;help;clean'= {
        }
        &'skillflux;discovery-cache;help;help'= {
        }
        &'skillflux;model'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand add 'Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them'
            cand list 'List the models that were added'
            cand remove 'Remove a model'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;model;add'= {
            cand --name 'What to call it [default: the folder''s name]'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;model;list'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --verify 'Hash every file of each; exit with 4 when one was changed'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;model;remove'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;model;help'= {
            cand add 'Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them'
            cand list 'List the models that were added'
            cand remove 'Remove a model'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;model;help;add'= {
        }
        &'skillflux;model;help;list'= {
        }
        &'skillflux;model;help;remove'= {
        }
        &'skillflux;model;help;help'= {
        }
        &'skillflux;index'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand status 'Say what the index holds and whether it is up to date for this folder'
            cand rebuild 'Remove the index and read every skill anew'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;index;status'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;index;rebuild'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;index;help'= {
            cand status 'Say what the index holds and whether it is up to date for this folder'
            cand rebuild 'Remove the index and read every skill anew'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;index;help;status'= {
        }
        &'skillflux;index;help;rebuild'= {
        }
        &'skillflux;index;help;help'= {
        }
        &'skillflux;status'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;config'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand list 'List every key with its value and where the value comes from'
            cand get 'Print one value'
            cand set 'Set a key in the person''s configuration file'
            cand unset 'Take a key out of the person''s configuration file'
            cand path 'Print the path of the configuration file'
            cand schema 'Print the JSON Schema of the configuration file'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;config;list'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;config;get'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;config;set'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;config;unset'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;config;path'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;config;schema'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;config;help'= {
            cand list 'List every key with its value and where the value comes from'
            cand get 'Print one value'
            cand set 'Set a key in the person''s configuration file'
            cand unset 'Take a key out of the person''s configuration file'
            cand path 'Print the path of the configuration file'
            cand schema 'Print the JSON Schema of the configuration file'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;config;help;list'= {
        }
        &'skillflux;config;help;get'= {
        }
        &'skillflux;config;help;set'= {
        }
        &'skillflux;config;help;unset'= {
        }
        &'skillflux;config;help;path'= {
        }
        &'skillflux;config;help;schema'= {
        }
        &'skillflux;config;help;help'= {
        }
        &'skillflux;eval'= {
            cand --corpus 'Read the corpora from this folder instead of those that come with skillflux'
            cand --frame 'The fixed text that the catalog-budget suite prices'
            cand --format 'The form of the report'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand retrieval 'Measure how well prompts with known answers find their skills'
            cand train 'Make the table of weights that orders the best candidates'
            cand triggers 'Try a skill with the prompts that its author wrote beside it'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;eval;retrieval'= {
            cand --skills 'The skills [default: the project''s own corpus, with its prompts]'
            cand --queries 'Prompts with their right skills'
            cand --searches 'Searches of a few words with their right skills'
            cand --negatives 'Prompts with skills that are wrong for them'
            cand --attacks 'Prompts, each with a skill that was made to win it'
            cand --mode 'The way to order'
            cand --without 'Parts to do without, to see what each is worth'
            cand --pool 'Search pools of this many skills, drawn by chance, that hold what their prompts name'
            cand --seed 'What the draw begins from'
            cand --blend 'The share of likeness of meaning in the order, 0 to 0.5, as `semanticBlend` has it'
            cand --model 'The local model that compares [default: the only one]'
            cand --weights 'A table of weights in place of this release''s, as `eval train` writes it'
            cand --compare 'A run that was recorded with --json, to be compared with by a paired test'
            cand --format 'The form of the report'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;eval;train'= {
            cand --skills 'The skills [default: the project''s own corpus, with its prompts]'
            cand --queries 'Prompts with their right skills'
            cand --searches 'Searches of a few words with their right skills'
            cand --negatives 'Prompts with skills that are wrong for them'
            cand --attacks 'Prompts, each with a skill that was made to win it'
            cand --out 'Where to write the table'
            cand --common 'Where to write how many of 1,000 skills have each common word'
            cand --folds 'Measure instead, in this many parts'
            cand --blend 'The share of likeness of meaning in the order, 0 to 0.5, as `semanticBlend` has it'
            cand --model 'The local model that compares [default: the only one]'
            cand --format 'The form of what is measured'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --own 'Learn from the project''s own corpus too'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;eval;triggers'= {
            cand --file 'A trigger file in place of those of the skill; may be given more than once'
            cand --pool 'A folder of skills, or a file as `eval retrieval --skills` takes it; may be given more than once [default: the skills that `catalog` chooses from]'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;eval;help'= {
            cand retrieval 'Measure how well prompts with known answers find their skills'
            cand train 'Make the table of weights that orders the best candidates'
            cand triggers 'Try a skill with the prompts that its author wrote beside it'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;eval;help;retrieval'= {
        }
        &'skillflux;eval;help;train'= {
        }
        &'skillflux;eval;help;triggers'= {
        }
        &'skillflux;eval;help;help'= {
        }
        &'skillflux;completions'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --dynamic 'Print the lines that make the shell ask skillflux itself'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;man'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
            cand --offline 'Send nothing; use what is stored'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;help'= {
            cand catalog 'Print the catalog of the few skills that fit a task'
            cand list 'List every skill on this machine, with problems and shadowing'
            cand show 'Show one skill: header, files, digest, and what a strict reader would object to'
            cand load 'Print a skill''s instructions and the list of its resources'
            cand read 'Print one file of a skill'
            cand explain 'Say why each skill was or was not chosen for a task'
            cand search 'Search this machine, skills.sh and GitHub for skills'
            cand mount 'Fetch skills of one commit, verify every byte, and make a folder of each for an agent'
            cand unmount 'Remove the folders that `mount` made and release what they held'
            cand exec 'Run a command while the store keeps the skills that it needs'
            cand usage 'Show how often skills were used, or forget it; alone, show'
            cand cache 'List, verify, prune and clean the store of fetched skills; alone, list it'
            cand discovery-cache 'Show or remove stored search results; alone, show'
            cand model 'Add, list and remove local models that compare skills by meaning; alone, list'
            cand index 'Show or rebuild the search index of `routerMode: fulltext`; alone, show'
            cand status 'Show where skills are read from, how the store and the sources fare, and which settings are in force'
            cand config 'Read and change the configuration; alone, list it'
            cand eval 'Run the evaluation corpora and print how well skills are chosen'
            cand completions 'Print a completion script for a shell'
            cand man 'Print the manual page of skillflux or of one command'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;help;catalog'= {
        }
        &'skillflux;help;list'= {
        }
        &'skillflux;help;show'= {
        }
        &'skillflux;help;load'= {
        }
        &'skillflux;help;read'= {
        }
        &'skillflux;help;explain'= {
        }
        &'skillflux;help;search'= {
        }
        &'skillflux;help;mount'= {
        }
        &'skillflux;help;unmount'= {
        }
        &'skillflux;help;exec'= {
        }
        &'skillflux;help;usage'= {
            cand clear 'Forget the uses of one skill or of all'
        }
        &'skillflux;help;usage;clear'= {
        }
        &'skillflux;help;cache'= {
            cand list 'List the stored skills with their pins'
            cand dir 'Print the folder of the cache'
            cand verify 'Read every stored file again and compare it with its digest; changes nothing without --repair'
            cand prune 'Remove skills that were not used for long, then the least used ones over the limits'
            cand clean 'Remove stored skills'
        }
        &'skillflux;help;cache;list'= {
        }
        &'skillflux;help;cache;dir'= {
        }
        &'skillflux;help;cache;verify'= {
        }
        &'skillflux;help;cache;prune'= {
        }
        &'skillflux;help;cache;clean'= {
        }
        &'skillflux;help;discovery-cache'= {
            cand status 'Say how many search results are stored and how each source fares'
            cand clean 'Remove the stored search results, answers and cooldowns'
        }
        &'skillflux;help;discovery-cache;status'= {
        }
        &'skillflux;help;discovery-cache;clean'= {
        }
        &'skillflux;help;model'= {
            cand add 'Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them'
            cand list 'List the models that were added'
            cand remove 'Remove a model'
        }
        &'skillflux;help;model;add'= {
        }
        &'skillflux;help;model;list'= {
        }
        &'skillflux;help;model;remove'= {
        }
        &'skillflux;help;index'= {
            cand status 'Say what the index holds and whether it is up to date for this folder'
            cand rebuild 'Remove the index and read every skill anew'
        }
        &'skillflux;help;index;status'= {
        }
        &'skillflux;help;index;rebuild'= {
        }
        &'skillflux;help;status'= {
        }
        &'skillflux;help;config'= {
            cand list 'List every key with its value and where the value comes from'
            cand get 'Print one value'
            cand set 'Set a key in the person''s configuration file'
            cand unset 'Take a key out of the person''s configuration file'
            cand path 'Print the path of the configuration file'
            cand schema 'Print the JSON Schema of the configuration file'
        }
        &'skillflux;help;config;list'= {
        }
        &'skillflux;help;config;get'= {
        }
        &'skillflux;help;config;set'= {
        }
        &'skillflux;help;config;unset'= {
        }
        &'skillflux;help;config;path'= {
        }
        &'skillflux;help;config;schema'= {
        }
        &'skillflux;help;eval'= {
            cand retrieval 'Measure how well prompts with known answers find their skills'
            cand train 'Make the table of weights that orders the best candidates'
            cand triggers 'Try a skill with the prompts that its author wrote beside it'
        }
        &'skillflux;help;eval;retrieval'= {
        }
        &'skillflux;help;eval;train'= {
        }
        &'skillflux;help;eval;triggers'= {
        }
        &'skillflux;help;completions'= {
        }
        &'skillflux;help;man'= {
        }
        &'skillflux;help;help'= {
        }
    ]
    $completions[$command]
}
