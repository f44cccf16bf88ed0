//! What is typed for `plan`: numbers as texts, which `sizing` reads and refuses.

use loadline_text::Lang;

/// Declares the flags whose values go to `sizing` as they are.
macro_rules! numbers {
    ($($heading:literal { $($(#[doc = $doc:literal])* $field:ident $name:literal $value:literal;)* })*) => {
        /// Numbers to plan with.
        #[derive(Debug, Default, clap::Args)]
        pub(super) struct Numbers {
            $($(
                $(#[doc = $doc])*
                #[arg(long = $name, value_name = $value, help_heading = $heading, allow_hyphen_values = true)]
                $field: Option<String>,
            )*)*
            /// A part of what people do, repeatable: 'login: POST /login, share=10%, p95=300ms, errors=1%'
            #[arg(long = "feature", value_name = "NAME: ...", help_heading = "Features", allow_hyphen_values = true)]
            features: Vec<String>,
        }

        impl Numbers {
            /// Those given, by name.
            pub(super) fn given(&self) -> Vec<(String, String)> {
                let mut given = Vec::new();
                $($(
                    if let Some(value) = &self.$field {
                        given.push(($name.to_owned(), value.clone()));
                    }
                )*)*
                let features = self.features.iter();
                given.extend(features.map(|text| ("feature".to_owned(), text.clone())));
                given
            }
        }
    };
}

numbers! {
    "People" {
        /// People active on a day
        dau "dau" "N";
        /// People active in a month
        mau "mau" "N";
        /// Share of a month's people that come on a day: 10% or 0.1
        daily_share "daily-share" "SHARE";
        /// Requests of one person on a day
        requests_per_user "requests-per-user" "N";
        /// Hours of the day over which they spread [default: 24]
        active_hours "active-hours" "N";
        /// All people, of whom --active are active
        users "users" "N";
        /// Share of --users that is active: 10% or 0.1
        active "active" "SHARE";
        /// People online at once
        online "online" "N";
        /// Time from one request of a person to the next
        every "every" "TIME";
        /// A rate that is known already: 100/s
        rate "rate" "RATE";
        /// Stages of the load, with their requests: the rate at the beginning, then LENGTH:RATE each: 300/s,10s:300,10s:150
        stages "stages" "RATE,TIME:RATE,...";
        /// Rate at the peak over the mean
        peak_factor "peak-factor" "X";
        /// Growth to be ready for
        growth "growth" "X";
    }
    "Goals and behaviour" {
        /// Response times to reckon with, the goal first: 100ms,500ms
        response_time "response-time" "TIME,...";
        /// Goal of the 95th percentile
        p95 "p95" "TIME";
        /// Goal of the error rate: 1% or 0.01
        error_rate "error-rate" "SHARE";
        /// Time a person waits between iterations: 1s, 2s..3s
        think_time "think-time" "TIME";
        /// Requests of one iteration [default: 1]
        requests_per_iteration "requests-per-iteration" "N";
        /// Length of the load test
        duration "duration" "TIME";
        /// Virtual users of a script, for the most it can offer
        vus "vus" "N";
    }
    "Front end" {
        /// What a page may take, on the screen
        page_time "page-time" "TIME";
        /// What the browser needs of it
        render_time "render-time" "TIME";
        /// Time of one round trip
        round_trip "round-trip" "TIME";
        /// Round trips of a page, one after another
        round_trips "round-trips" "N";
        /// API calls of a page, one after another
        api_calls "api-calls" "N";
    }
    "Settings of the application" {
        /// Cores of an instance
        cores "cores" "N";
        /// Memory limit of an instance: 2GiB
        memory "memory" "SIZE";
        /// Numbers of instances to make settings for: 1,3
        instances "instances" "N,...";
        /// Time on the CPU of one request
        service_time "service-time" "TIME";
        /// Time of one request spent waiting
        wait_time "wait-time" "TIME";
        /// Response time measured with one user, in place of --wait-time
        measured_response "measured-response" "TIME";
        /// Time one request holds a database connection
        hold_time "hold-time" "TIME";
        /// Connections one request takes at once [default: 1]
        connections_per_task "connections-per-task" "N";
        /// Cores of the database [default: those of an instance]
        db_cores "db-cores" "N";
        /// Spindles of the database's disks [default: 1]
        spindles "spindles" "N";
        /// max_connections of the database
        db_max_connections "db-max-connections" "N";
        /// Of them, those that are not for the application [default: 3]
        db_reserved "db-reserved" "N";
    }
}

/// Plan the load from people or access logs; first settings, and tests to run
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline plan --dau 10000 --requests-per-user 5 --peak-factor 10 --response-time 100ms,500ms --think-time 1s
  loadline plan --users 3000 --active 10% --every 3s --vus 200 --requests-per-iteration 2 --think-time 2s..3s
  loadline plan --cores 2 --memory 2GiB --service-time 40ms --measured-response 73.52ms --instances 1,3 --db-max-connections 100
  loadline plan --rate 100/s --p95 500ms --feature 'read: GET /items/1, share=90%' --feature 'write: POST /items, share=10%' \\
    --write k6 tests --target http://127.0.0.1:8080
  loadline plan --stages 300/s,10s:300,10s:150,30s:100,50s:50,50s:30,30s:0
  loadline plan --log access.log* --growth 10 --write k6 tests --write-mock outside.yaml
  loadline plan --from plan.yaml --json
")]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(super) numbers: Numbers,
    /// Read inputs from a YAML file of NAME: VALUE; flags win
    #[arg(long, value_name = "FILE")]
    pub(super) from: Option<String>,
    /// Read access logs (plain or gzip; nginx, Apache, Caddy, Traefik, AWS load balancers, Envoy,
    /// HAProxy, IIS, JSON lines, CSV): the busiest minute is the rate, the endpoints are the features
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub(super) log: Vec<String>,
    /// The logs' format: its name (combined, json, alb, elb, envoy, haproxy, iis, caddy, traefik), or
    /// the format string of nginx, Apache, Envoy or HAProxy; Tomcat's behind tomcat:
    #[arg(
        long,
        value_name = "FORMAT",
        requires = "log",
        allow_hyphen_values = true
    )]
    pub(super) log_format: Option<String>,
    /// Which fields of JSON lines or CSV are what: time=ts,path=uri,duration=took:ms
    #[arg(long, value_name = "WHAT=NAME,...", requires = "log")]
    pub(super) log_fields: Option<String>,
    /// Write the logged times of each endpoint as a file for loadline mock
    #[arg(long, value_name = "FILE", requires = "log")]
    pub(super) write_mock: Option<String>,
    /// Write tests: k6 or artillery, and the folder
    #[arg(long, num_args = 2, value_names = ["KIND", "DIR"])]
    pub(super) write: Option<Vec<String>>,
    /// Where the written tests send their requests
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(super) target: String,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    pub(super) lang: Option<Lang>,
}
