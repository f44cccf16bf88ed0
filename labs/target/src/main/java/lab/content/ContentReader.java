package lab.content;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reads contents and their places for one member. */
@Repository
class ContentReader {

    private static final String CONTENT = """
            select c.id, c.title, c.body, c.likes,
                   (select count(*) from favorite_content f where f.content_id = c.id)::int as favorites,
                   exists (select 1 from favorite_content f where f.content_id = c.id and f.member_id = :member) as favorite
            from content c where c.id = :id
            """;
    private static final String PLACES = """
            select p.id, p.name, p.address, k.name as category, f.place_id is not null as favorite
            from place p
            left join place_category k on k.place_id = p.id
            left join favorite_place f on f.place_id = p.id and f.member_id = :member
            where p.content_id = :id order by p.id
            """;

    private final JdbcClient database;

    ContentReader(JdbcClient database) {
        this.database = database;
    }

    Optional<Content> content(int id, int member) {
        return database.sql(CONTENT).param("id", id).param("member", member).query(Content.class).optional();
    }

    List<Place> places(int content, int member) {
        return database.sql(PLACES).param("id", content).param("member", member).query(Place.class).list();
    }
}
