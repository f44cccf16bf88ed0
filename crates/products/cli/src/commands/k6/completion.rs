//! `completion SHELL`: a script that completes commands and flags.

use clap::CommandFactory;
use loadline_k6_options::flags::TABLE;
use loadline_text::{Dialect, Exit, messages};

use crate::commands::{Cli, run};
use crate::context::Context;

/// Commands whose flags are those of `run`.
const LIKE_RUN: [&str; 3] = ["run", "archive", "inspect"];

/// Prints the script for a shell.
pub(in super::super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let name = if context.is_k6() { "k6" } else { "loadline" };
    let commands = commands(context.is_k6());
    let script = match args.first().map(String::as_str) {
        Some("bash") => bash(name, &commands),
        Some("zsh") => format!(
            "#compdef {name}\nautoload -U +X bashcompinit && bashcompinit\n{}",
            bash(name, &commands)
        ),
        Some("fish") => fish(name, &commands),
        Some("powershell") => powershell(name, &commands),
        _ => {
            let text = context.catalog(None).text(&messages::completion_shells());
            context.err(&format!("{text}\n"));
            return Exit::InvalidConfig.code(Dialect::Loadline);
        }
    };
    context.out(&script);
    Exit::Success.code(Dialect::K6)
}

fn commands(is_k6: bool) -> Vec<String> {
    if is_k6 {
        let names = "archive cloud completion deps features inspect new run version x";
        return names.split(' ').map(str::to_owned).collect();
    }
    let cli = Cli::command();
    let named = cli.get_subcommands().map(|command| command.get_name());
    named.map(str::to_owned).collect()
}

/// Flags of `run` with what each does.
fn flags() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = run::loadline_flags();
    TABLE.iter().chain(own).map(|spec| (spec.name, spec.help))
}

fn flag_words() -> String {
    let words: Vec<String> = flags().map(|(name, _)| format!("--{name}")).collect();
    words.join(" ")
}

fn bash(name: &str, commands: &[String]) -> String {
    let (commands, flags) = (commands.join(" "), flag_words());
    let like_run = LIKE_RUN.join("|");
    format!(
        "_{name}_complete() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} words=
  if [ \"$COMP_CWORD\" -eq 1 ]; then
    COMPREPLY=($(compgen -W \"{commands}\" -- \"$cur\"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
    {like_run}) words=\"{flags}\" ;;
    completion) COMPREPLY=($(compgen -W \"bash fish powershell zsh\" -- \"$cur\")); return ;;
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W \"$words --help\" -- \"$cur\")) ;;
    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;
  esac
}}
complete -o filenames -F _{name}_complete {name}
"
    )
}

fn fish(name: &str, commands: &[String]) -> String {
    let mut script = format!(
        "complete -c {name} -n __fish_use_subcommand -f -a '{}'\n",
        commands.join(" ")
    );
    for (flag, help) in flags() {
        let help = help.replace('\'', "\\'");
        script.push_str(&format!(
            "complete -c {name} -n '__fish_seen_subcommand_from {}' -l {flag} -d '{help}'\n",
            LIKE_RUN.join(" ")
        ));
    }
    script
}

fn powershell(name: &str, commands: &[String]) -> String {
    let quoted = |words: &mut dyn Iterator<Item = String>| {
        let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
        words.join(", ")
    };
    let commands = quoted(&mut commands.iter().cloned());
    let flags = quoted(&mut flags().map(|(name, _)| format!("--{name}")));
    let like_run = quoted(&mut LIKE_RUN.iter().map(|name| (*name).to_owned()));
    format!(
        "Register-ArgumentCompleter -Native -CommandName {name} -ScriptBlock {{
  param($word, $ast, $position)
  $typed = $ast.CommandElements | ForEach-Object {{ $_.ToString() }}
  $words = if ($typed.Count -lt 2 -or ($typed.Count -eq 2 -and $word)) {{ @({commands}) }}
    elseif (@({like_run}) -contains $typed[1]) {{ @({flags}) }}
    else {{ @() }}
  $words | Where-Object {{ $_ -like \"$word*\" }} | ForEach-Object {{
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }}
}}
"
    )
}
