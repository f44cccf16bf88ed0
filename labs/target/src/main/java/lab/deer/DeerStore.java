package lab.deer;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of deers. A deer id may be used once. */
@Repository
class DeerStore {

    private final JdbcClient database;

    DeerStore(JdbcClient database) {
        this.database = database;
    }

    boolean userExists(long userId) {
        return database.sql("select count(*) from member where id = :id").param("id", userId)
                .query(Integer.class).single() == 1;
    }

    /** @throws org.springframework.dao.DuplicateKeyException when the id was used before */
    void insert(DeerRequest deer, String reference) {
        database.sql("insert into deer (id, user_id, data, reference) values (:id, :user, :data, :reference)")
                .param("id", deer.deerId()).param("user", deer.userId()).param("data", deer.data())
                .param("reference", reference).update();
    }

    void setReference(long deerId, String reference) {
        database.sql("update deer set reference = :reference where id = :id")
                .param("reference", reference).param("id", deerId).update();
    }

    Optional<Deer> find(long userId, long deerId) {
        return database.sql("select id as deer_id, user_id, data, reference from deer where id = :id and user_id = :user")
                .param("id", deerId).param("user", userId).query(Deer.class).optional();
    }
}
