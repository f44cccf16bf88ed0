//! Files as teams have them.

use super::super::grafana;
use super::super::settings::{properties, yaml};
use super::*;

fn named(given: &GivenSources) -> Vec<&str> {
    given.sources.iter().map(|one| one.named.as_str()).collect()
}

fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn data_sources_of_grafana_are_named_and_secrets_stay_variables() {
    let file = "\
apiVersion: 1
datasources:
  - name: Prometheus
    type: prometheus
    url: http://prometheus:9090
  - name: Tempo
    type: tempo
    url: https://tempo/api-of/
    basicAuth: true
    basicAuthUser: ann
    secureJsonData: {basicAuthPassword: $TEMPO_PASSWORD}
  - {name: Loki, type: loki, url: 'http://loki:3100'}
  - name: Shop DB
    type: grafana-postgresql-datasource
    url: db:5432
    user: grafana
    jsonData: {database: shop, sslmode: require}
    secureJsonData: {password: 'p@ss'}
  - {name: Cloud, type: cloudwatch}
";
    let mut given = GivenSources::default();
    let environment = environment(&[("TEMPO_PASSWORD", "x")]);
    grafana::add(&yaml(file).unwrap(), &environment, &mut given);
    let expected = [
        "prometheus://prometheus:9090",
        "tempo+https://ann:${TEMPO_PASSWORD}@tempo/api-of",
        "postgres://grafana:${LOADLINE_SHOP_DB_PASSWORD}@db:5432/shop?sslmode=require",
    ];
    assert_eq!(named(&given), expected);
    let told = format!("{:?}", given.left_out);
    for word in ["loki", "cloudwatch", "LOADLINE_SHOP_DB_PASSWORD"] {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert!(!told.contains("p@ss"), "{told}");
}

#[test]
fn a_spring_configuration_names_its_database_its_page_and_redis() {
    let file = "\
server.port: 8081
spring:
  datasource:
    url: jdbc:postgresql://${DB_HOST:db}:5432/shop?sslmode=require&reWriteBatchedInserts=true
    username: app
    password: ${DB_PASSWORD:secret}
  data.redis: {host: cache, port: 6380}
management:
  server: {port: 9090}
  endpoints.web: {base-path: /manage, exposure: {include: [health, prometheus]}}
---
spring.config.activate.on-profile: prod
spring.datasource.url: jdbc:postgresql://prod:5432/shop
";
    let mut given = GivenSources::default();
    add(&yaml(file).unwrap(), &BTreeMap::new(), &mut given);
    let expected = [
        "http://127.0.0.1:9090/manage/prometheus",
        "postgres://app:${DB_PASSWORD}@db:5432/shop?sslmode=require",
        "redis://cache:6380",
    ];
    assert_eq!(named(&given), expected);
    assert!(format!("{:?}", given.left_out).contains("prod"));
    let mut given = GivenSources::default();
    let active = environment(&[("SPRING_PROFILES_ACTIVE", "prod")]);
    add(&yaml(file).unwrap(), &active, &mut given);
    assert!(named(&given).contains(&"postgres://app:${DB_PASSWORD}@prod:5432/shop"));
}

#[test]
fn properties_are_read_and_a_page_that_is_not_exposed_is_told() {
    let file = "# a\nspring.datasource.url=jdbc:mysql://db/shop\nspring.datasource.username=app\n\
        spring.datasource.password=geheim\nserver.port = 8080\n#---\n\
        spring.config.activate.on-profile=dev\nserver.port=1\n";
    let mut given = GivenSources::default();
    add(&properties(file), &BTreeMap::new(), &mut given);
    assert_eq!(
        named(&given),
        ["mysql://app:${LOADLINE_DATASOURCE_PASSWORD}@db/shop"]
    );
    let told = format!("{:?}", given.left_out);
    assert!(
        told.contains("exposure") && !told.contains("geheim"),
        "{told}"
    );
}

/// Half of a file, or another file, is no defect.
#[test]
fn what_is_no_configuration_names_nothing() {
    for text in [
        "",
        "a",
        "- 1",
        "datasources:\n  - 5\n",
        "spring: {datasource: {url: 7}}",
    ] {
        let mut given = GivenSources::default();
        if let Ok(documents) = yaml(text) {
            grafana::add(&documents, &BTreeMap::new(), &mut given);
            add(&documents, &BTreeMap::new(), &mut given);
        }
        assert!(given.sources.is_empty(), "{text}");
    }
    assert!(yaml("a: [").is_err());
}
