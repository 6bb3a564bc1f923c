
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
            cand status 'Show where skills are read from and which settings are in force'
            cand config 'Read and change the configuration; alone, list it'
            cand eval 'Run the evaluation corpora and print how well skills are chosen'
            cand completions 'Print a completion script for a shell'
            cand man 'Print the manual page of skillflux or of one command'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'skillflux;catalog'= {
            cand --format 'The form of the catalog'
            cand --max 'The most skills in it [default: maxActiveSkills of the configuration]'
            cand --budget-tokens 'The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]'
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
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
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'skillflux;load'= {
            cand --config 'Read this configuration file instead of the person''s own'
            cand --color 'When to use colours'
            cand --log-file 'Append the log to this file'
            cand --json 'Print one JSON document instead of text'
            cand -q 'Print no warnings'
            cand --quiet 'Print no warnings'
            cand -v 'Say what is being done on standard error'
            cand --verbose 'Say what is being done on standard error'
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
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
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
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
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
            cand status 'Show where skills are read from and which settings are in force'
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
