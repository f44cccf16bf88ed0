package lab.control;

import java.util.List;

/** The switches of one part of the target. */
public interface SwitchSet {

    List<Switch> switches();
}
