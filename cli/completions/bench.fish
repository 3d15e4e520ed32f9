# fish completion of bench: bench completions fish > ~/.config/fish/completions/bench.fish
set -g __bench_flags_with_value @flags_with_value@

# Whether the line is in this command ('' before there is one) and, when a
# place is given, whether that argument comes next.
function __bench_in
    set -l found
    set -l value no
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test $value = yes
            set value no
        else if contains -- $word $__bench_flags_with_value
            set value yes
        else if not string match -q -- '-*' $word
            set -a found $word
        end
    end
    test "$found[1]" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    test (count $found) -eq $argv[2]
end

# The word at the cursor; of `--flag=word`, what follows the sign.
function __bench_word
    commandline -ct | string replace -r -- '^--[^=]*=' ''
end

# Files with one of these endings, and folders; where there are none, any file.
function __bench_files
    set -l all (complete -C "__bench_no_command "(__bench_word))
    set -l wanted (string match -r -- '^.*(?:/|\.(?:'(string join '|' $argv)'))$' $all)
    set -q wanted[1]; or set wanted $all
    set -q wanted[1]; and printf '%s\n' $wanted
end

function __bench_folders
    complete -C "__bench_no_command "(__bench_word) | string match -- '*/'
end

# Names of the targets in `targets/`, here and up to the root of the repository.
function __bench_targets
    set -l at $PWD
    set -l names
    while true
        set -l files $at/targets/*.yaml $at/targets/*.yml
        set -a names (string replace -r -- '^.*/(.*)\.ya?ml$' '$1' $files)
        test -n "$at"; and not test -e $at/.git; or break
        set at (string replace -r -- '/[^/]*$' '' $at)
    end
    set names (string match -- (__bench_word)'*' $names)
    if set -q names[1]
        printf '%s\n' $names
    else
        __bench_files @target_endings@
    end
end

# Ids of the runs in the store, the latest first; where there are none, folders.
function __bench_runs
    set -l store .bench/runs
    set -q BENCH_STORE; and test -n "$BENCH_STORE"; and set store $BENCH_STORE
    set -l words (commandline -opc)
    for i in (seq (count $words))
        switch $words[$i]
            case --store
                set store $words[(math $i + 1)]
            case '--store=*'
                set store (string replace -- '--store=' '' $words[$i])
        end
    end
    set store (string replace -r -- '^~' $HOME $store)
    set -l files $store/(__bench_word)*/meta.json
    set -l any $store/*/meta.json
    if set -q any[1]; and string match -q -- (__bench_word)'*' latest
        set files $files $store/latest/meta.json
    end
    if set -q files[1]
        string replace -r -- '^.*/(.*)/meta\.json$' '$1' $files[-1..1]
    else
        __bench_folders
    end
end

# Names or tags of the flows in the folders on the line, else in this one.
function __bench_words
    set -l at
    set -l words (commandline -opc)
    for word in $words[3..-1]
        test -d "$word"; and set -a at $word/
    end
    set -q at[1]; or set at .
    set -l before
    test $argv[1] = tags; and set before (string match -r -- '^.*,' (__bench_word))
    set -l found (find $at -name '.?*' -prune -o -name node_modules -prune -o \
        -type f -name '*.bench.y*ml' -exec awk -v key=$argv[1] '@words_of_key@' '{}' + 2>/dev/null)
    set -q found[1]; and printf '%s\n' "$before"$found
end

@completions@
