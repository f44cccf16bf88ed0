import http, { RefinedResponse, ResponseType } from 'k6/http';

type Answer = RefinedResponse<ResponseType | undefined>;

export class Api {
  private token = '';

  constructor(private readonly base: string) {}

  authenticate(user: string): boolean {
    const answer: Answer = http.post(`${this.base}/token`, JSON.stringify({ user }), { tags: { name: 'auth' } });
    this.token = answer.json('token') as string;
    return answer.status === 200;
  }

  me(): Answer {
    return http.get(`${this.base}/private`, { headers: { Authorization: `Bearer ${this.token}` } });
  }
}
